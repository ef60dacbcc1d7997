/**
 * The messages of `$.send.sse`, at an address of its own for each workflow (P25.55): `EventSource` sends no key, and
 * pages of other origins read it, so the address is unguessable.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WeirError } from '../../protocol/errors.ts';
import { endpointPrefix } from '../server/incoming-request.ts';
import { errorBody, presentable, sendJson } from '../server/reply.ts';
import { streamReader } from '../server/access/caller.ts';
import type { SseFace } from './sse.ts';

export interface PublicStreamsOptions {
  readonly sse: Pick<SseFace, 'open'>;
  /** The workflow at an address, `sse_…`; undefined for one that was not made here. */
  readonly workflowAt: (address: string) => string | undefined;
}

/** Answers `GET /h/sse_…`, and `GET /h/sse_…/<channel>`. */
export function createPublicStreams({ sse, workflowAt }: PublicStreamsOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    request.resume();
    response.setHeader('access-control-allow-origin', '*');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [address = '', channel = '', ...more] = pathname.slice(endpointPrefix.length).split('/');
    const source = workflowAt(address);
    const { method } = request;
    try {
      if (method === 'OPTIONS') {
        response.setHeader('access-control-allow-headers', '*');
        response.writeHead(204).end();
        return;
      }
      if (method !== 'GET' && method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD, OPTIONS');
        throw new WeirError('method_not_allowed', `A stream is read with GET, not ${method}.`);
      }
      if (source === undefined || more.length > 0) {
        throw new WeirError(
          'not_found',
          'There is no stream at this address: "weir list streams" shows all streams.',
        );
      }
      const header = request.headers['last-event-id'];
      const seen = header === undefined ? searchParams.get('last_event_id') : String(header);
      await sse.open(response, {
        caller: streamReader,
        feed: 'messages',
        source,
        ...(channel !== '' && { channel: decoded(channel) }),
        seen: seen ?? undefined,
        isHead: method === 'HEAD',
      });
    } catch (thrown) {
      const error = presentable(thrown);
      sendJson(response, error.status, errorBody(error));
    }
  };
}

function decoded(channel: string): string {
  try {
    return decodeURIComponent(channel);
  } catch (error) {
    throw new WeirError('bad_input', `"${channel}" is not URL-encoded.`, undefined, error);
  }
}
