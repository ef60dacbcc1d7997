/** What a script step knows of the dry run of its process. */
import type { spawn } from 'node:child_process';

/** The property of `globalThis`: a step's code is a bundle of its own, and shares no module with the process. */
export const dryRunKey: unique symbol = Symbol.for('weir.dryRun') as never;

export interface DryRunOfProcess {
  /** The URL that HTTP requests are sent to. */
  readonly url: string;
  /** Node's own: the process's is refused. */
  readonly spawn: typeof spawn;
  /** Reports to the runtime what was held back. @returns the error to throw */
  readonly refuse: (what: string) => Error;
}

/** Undefined outside of a dry run. */
export function dryRunOfProcess(): DryRunOfProcess | undefined {
  return (globalThis as { readonly [dryRunKey]?: DryRunOfProcess })[dryRunKey];
}
