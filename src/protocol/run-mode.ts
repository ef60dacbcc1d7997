/** Whether a test really sends what its steps send: one rule for every way to start one (pure). */

/** `real` is a test whose steps send; `dry` is a dry run, which sends nothing. */
export type RunMode = 'real' | 'dry';

/** `ask`: nobody has chosen yet. GET and HEAD are sent, and the person is asked before anything else is. */
export type AskedMode = RunMode | 'ask';

export interface RunRequest {
  /** `test`: one test of a workflow. `saved`: a saved test. `many`: executions that are replayed on edited files. */
  readonly kind: 'test' | 'saved' | 'many';
  /** A person is there to answer a question: at a terminal or in the editor. */
  readonly hasPerson: boolean;
  /** The mode that this call asks for: `--real` or `--dry`. */
  readonly asked?: RunMode | undefined;
}

/**
 * Returns how to run it. After `ask`, the caller uses the choice that is remembered for the workflow, if there is one.
 */
export function runMode({ kind, hasPerson, asked }: RunRequest): AskedMode {
  if (asked !== undefined) return asked;
  return kind === 'test' && hasPerson ? 'ask' : 'dry';
}

/** Methods that change nothing at their server. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export function isReading(method: string): boolean {
  return reading.has(method.toUpperCase());
}

/** The header that names a request that was held back; its value is 1. */
export const heldBackHeader = 'x-weir-held-back';

/** What to do about something that a dry run held back. */
export const heldBackAdvice =
  'Pin the step, replay an execution that has recorded it, or run a real test (--real).';
