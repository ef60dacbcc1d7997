/** What steps and blocks come to. All of it is JSON text, put together and never parsed. */

/**
 * The return value stands apart from the rest, so that the value of a block is made of those inside without
 * parsing, and nothing is kept twice: both are one text only in what later steps see (`exportsText`).
 */
export interface Outcome {
  /** An object as `JSON.stringify` writes it: named exports and `$summary`, without `$return_value`. */
  readonly exports: string;
  /** Absent when the step returned undefined (W8). */
  readonly returnValue?: string;
}

/** The outcome of a step that ran and left nothing. */
export const nothing: Outcome = { exports: '{}' };

/** The object that later steps see as `steps.<name>`. */
export function exportsText({ exports, returnValue }: Outcome): string {
  if (returnValue === undefined) return exports;
  const start = `{"$return_value":${returnValue}`;
  return exports === '{}' ? `${start}}` : `${start},${exports.slice(1)}`;
}
