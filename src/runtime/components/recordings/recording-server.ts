/** Answers the HTTP requests of a dry run from a recording, so that nothing leaves the machine. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpAnswer } from '../../../protocol/outgoing-request.ts';
import { heldBackAdvice, heldBackHeader } from '../../../protocol/run-mode.ts';
import type { AskedRequest, RecordedAnswers } from './recorded-answers.ts';

export interface MissingAnswer {
  /** A sentence that names the request. */
  readonly message: string;
  /** Undefined of a connection that is not HTTP. */
  readonly asked?: AskedRequest | undefined;
}

export interface RecordingServer {
  /** `http://127.0.0.1:…`: where all requests of the test go. */
  readonly url: string;
  /** Requests without a recorded answer, in order. */
  readonly missing: readonly MissingAnswer[];
  /** Resolves when nothing listens any more. */
  close(): Promise<void>;
}

/**
 * Listens on a free port of this machine.
 * @param shareable takes out of a request what was taken out of the recorded ones
 * @param missed is told at once of what has no answer
 */
export async function recordingServer(
  answers: RecordedAnswers,
  shareable: (asked: AskedRequest) => AskedRequest,
  missed: (one: MissingAnswer) => void = () => undefined,
): Promise<RecordingServer> {
  const missing: MissingAnswer[] = [];
  const miss = (one: MissingAnswer): void => {
    missing.push(one);
    missed(one);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = shareable(askedOf(request, Buffer.concat(chunks)));
      const found = answers.answerTo(asked);
      if ('answer' in found) give(response, found.answer, request.method === 'HEAD');
      else if ('broken' in found) request.socket.destroy();
      else {
        miss({ message: found.missing, asked });
        response.writeHead(501, 'Not Recorded', {
          'content-type': 'text/plain; charset=utf-8',
          [heldBackHeader]: '1',
        });
        response.end(`${found.missing} ${heldBackAdvice}`);
      }
    });
  });
  server.on('connect', ({ url = '' }: IncomingMessage, socket) => {
    miss({ message: `A tunnel to ${url} was asked for: what goes through it is not recorded.` });
    socket.destroy();
  });
  server.on('clientError', (_error, socket) => {
    const message = 'A connection that is not HTTP was opened: what comes over it is not recorded.';
    miss({ message });
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    missing,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Headers of the request contain the original host and protocol. */
function askedOf(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
): AskedRequest {
  const protocol = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const asked = { method, url: `${protocol}://${headers.host ?? ''}${url}` };
  if (body.length === 0) return { ...asked, body: null };
  return { ...asked, body: { text: body.toString('utf8'), size: body.length } };
}

function give(
  response: ServerResponse,
  { status, status_text: text, headers, body }: HttpAnswer,
  isHead: boolean,
): void {
  const bytes =
    body === null
      ? Buffer.alloc(0)
      : Buffer.from(body.text, body.is_base64 === true ? 'base64' : 'utf8');
  response.writeHead(status, text, headers.flat());
  response.end(isHead ? undefined : bytes);
}
