import type { Invocation } from './invocation.ts';
import { responseOf } from './response.ts';

/** What `this.<http>` is (reference §1.3, §3.2). */
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
