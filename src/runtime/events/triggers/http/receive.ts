/** The body of a request, as every endpoint takes it: uploaded, read, and looked at whether it decodes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ContentDecoder,
  contentDecoder,
  isTooLong,
} from '../../../../protocol/content-encoding.ts';
import type { Refuse } from '../../../server/lingering.ts';
import { readBody } from '../../../server/read-body.ts';
import type { RequestFlags } from './request-flags.ts';
import {
  refuseNotUploaded,
  refuseTooLarge,
  refuseUploadTooLarge,
  sendNotDecoded,
  sendTooLargeDecoded,
} from './responses.ts';
import type { BodyFacts } from './trigger.ts';

export interface BodyOptions {
  /**
   * Stores a body as a file. Resolves with its URL, undefined when it is larger than `uploadLimit`;
   * rejects when it was cut off or cannot be stored.
   */
  readonly upload: (request: IncomingMessage) => Promise<string | undefined>;
  /** In bytes. */
  readonly bodyLimit: number;
  /** Limit of a body that the caller asks to upload, in bytes. */
  readonly uploadLimit: number;
}

export interface ReceivedBody {
  /** The body is complete. Not called if the caller was refused, or has disconnected. */
  readonly accept: (body: Uint8Array, facts?: BodyFacts) => void;
  /** The caller got the answer that its body is too large. */
  readonly tooLarge?: () => void;
}

const noBody = new Uint8Array(0);

/** Refuses by itself what is too large, cannot be stored or does not decode. */
export function receiveBody(
  options: BodyOptions,
  flags: RequestFlags,
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
  { accept, tooLarge }: ReceivedBody,
): void {
  if (flags.uploadBody) {
    options.upload(request).then(
      (url) => {
        if (url === undefined) refuseUploadTooLarge(response, refuse, options.uploadLimit);
        else accept(noBody, { rawBodyUrl: url });
      },
      () => refuseNotUploaded(response, refuse),
    );
    return;
  }
  readBody(request, options.bodyLimit, (body) => {
    // The caller is gone and waits for no answer.
    if (body === 'cut off') return;
    if (body === 'too large') {
      refuseTooLarge(response, refuse, options.bodyLimit);
      tooLarge?.();
      return;
    }
    const decode = decoderFor(request, body);
    if (decode === undefined) {
      accept(body);
      return;
    }
    // Off the loop; the component's process decodes it once more, and the store has what was received.
    decode(body, options.bodyLimit).then(
      ({ length }) => accept(body, { decodedBytes: length }),
      (error: unknown) => {
        if (isTooLong(error)) sendTooLargeDecoded(response, options.bodyLimit);
        else sendNotDecoded(response);
      },
    );
  });
}

/** Undefined for almost every body: one that has no content-encoding, or one that is left as it is (P7.45). */
function decoderFor(request: IncomingMessage, body: Uint8Array): ContentDecoder | undefined {
  const encoding = request.headers['content-encoding'];
  return encoding === undefined || body.length === 0 ? undefined : contentDecoder(encoding);
}
