import type { ErrorData } from '../../protocol/errors.ts';

/**
 * Where a verb's output goes. Verbs hand over the value and how a person would read it; which of the
 * two is printed is not their business. Answers go to stdout, everything else to stderr.
 */
export interface Renderer {
  /** The one answer of a command. */
  answer(value: unknown, human: () => string): void;
  /** One more item of a stream. */
  item(value: unknown, human: () => string): void;
  /** A remark beside the answer. */
  note(sentence: string): void;
  /** A step of something that takes a while; the next one replaces it. */
  progress(sentence: string): void;
  fail(error: ErrorData): void;
}
