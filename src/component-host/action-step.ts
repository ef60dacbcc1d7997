import { format } from 'node:util';
import type { Invocation } from './invocation.ts';
import { lenientJson } from './json.ts';

/**
 * `$` of an action that runs by itself, outside a workflow: exports, and the parts of `$` that can be
 * called unconditionally (reference §5.3; components test `$.flow?.x` and `$.context` before use).
 */
export interface Step {
  export(name: unknown, value: unknown): void;
  respond(): Promise<void>;
  readonly flow: { exit(reason?: unknown): unknown };
}

export function createStep(invocation: Invocation): Step {
  return {
    export(name: unknown, value: unknown): void {
      const json = lenientJson(value);
      if (json !== undefined && !invocation.ended) invocation.export(String(name), json);
    },
    // No request waits for an action that runs by itself (reference §5.5).
    respond: () => Promise.resolve(),
    flow: {
      exit(reason?: unknown): unknown {
        const text = reason === undefined ? '$.flow.exit' : format('$.flow.exit: %s', reason);
        invocation.log({ at: Date.now(), level: 'info', text });
        return undefined;
      },
    },
  };
}
