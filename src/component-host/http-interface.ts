import type { Invocation } from './invocation.ts';
import { responseOf } from './response.ts';

/** What `this.<http>` is (P3.24, P7.32, P7.33). */
export interface HttpInterface {
  readonly endpoint: string | undefined;
  respond(response?: unknown): Promise<void>;
}

/**
 * `respond` needs no `this`, may be awaited or not, and answers the request at most once: the first
 * call wins. Without a request that waits it does nothing, as components call it unconditionally.
 */
export function createHttpInterface(
  endpoint: string | undefined,
  waits: boolean,
  invocation: Invocation,
): HttpInterface {
  let open = waits;
  return {
    endpoint,
    respond(response?: unknown): Promise<void> {
      if (open && !invocation.ended) {
        const made = responseOf(response);
        open = false;
        invocation.respond(made);
      }
      return Promise.resolve();
    },
  };
}
