/** A command line that makes no sense (exit code 2), as opposed to one that did not work out (1). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
