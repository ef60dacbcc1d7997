/** The output of a verb and its format: for a person, or for a machine. */
import { styleText } from 'node:util';
import type { ErrorData, ErrorDetail } from '../../protocol/errors.ts';
import type { Output } from '../io.ts';
import { printable } from './printable.ts';

/**
 * Verbs hand over the value and how a person would read it; which of the two is printed is not their
 * business. Answers go to stdout, everything else to stderr.
 */
export interface Renderer {
  /** The one answer of a command. */
  answer(value: unknown, human: () => string): void;
  /** Adds an item to a stream. */
  item(value: unknown, human: () => string): void;
  /** Shows a person a preview of the answer; for a machine, the answer has everything. */
  live(human: () => string): void;
  /** A remark beside the answer. */
  note(sentence: string): void;
  /** How far something is that takes a while; the next one replaces it. */
  progress(sentence: string): void;
  /** Removes the progress display when a long task has succeeded or failed. */
  endProgress(): void;
  fail(error: ErrorData): void;
}

/** Prints for a person. Progress shows on a terminal only, on one line that is cleared again. */
export function createHumanRenderer(stdout: Output, stderr: Output): Renderer {
  let progressShown = false;
  const clearProgress = (): void => {
    if (progressShown) stderr.write('\r\u001b[2K');
    progressShown = false;
  };
  const print = (to: Output, text: string): void => {
    clearProgress();
    if (text !== '') to.write(`${printable(text)}\n`);
  };
  return {
    answer: (_value, human) => print(stdout, human()),
    item: (_value, human) => print(stdout, human()),
    live: (human) => print(stdout, human()),
    note: (sentence) => print(stderr, sentence),
    progress(sentence) {
      if (stderr.isTTY !== true) return;
      clearProgress();
      const text = printable(sentence).slice(0, widthOf(stderr) - 1);
      stderr.write(styleText('dim', text, { validateStream: false }));
      progressShown = true;
    },
    endProgress: clearProgress,
    fail(error) {
      for (const line of errorLines(error)) print(stderr, line);
    },
  };
}

/** Prints for a machine: one document, or one object a line for a stream. */
export function createJsonRenderer(stdout: Output, stderr: Output): Renderer {
  return {
    answer: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    item: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    live: () => undefined,
    note: (sentence) => void stderr.write(`${sentence}\n`),
    progress: () => undefined,
    endProgress: () => undefined,
    fail({ message, code, details }) {
      stderr.write(`${JSON.stringify({ error: message, code, details })}\n`);
    },
  };
}

/** Some terminals do not know their width, and say 0. */
function widthOf({ columns = 0 }: Output): number {
  return columns > 0 ? columns : 80;
}

function errorLines({ message, details = [] }: ErrorData): string[] {
  const placed = details.filter(({ file }) => file !== undefined);
  const isMadeOf = (line: string): boolean => placed.some((one) => line.endsWith(one.message));
  // Then each says it at its place.
  if (placed.length > 0 && message.split('\n').every(isMadeOf)) {
    return placed.map((one) => `weir: ${placeOf(one)}${one.message}`);
  }
  // A message that was put together from the details needs no list of them.
  const more = details.filter((detail) => !message.includes(detail.message) || detail.file);
  return [`weir: ${message}`, ...more.map((detail) => `  ${placeOf(detail)}${detail.message}`)];
}

function placeOf({ file, line, column }: ErrorDetail): string {
  if (file === undefined) return '- ';
  const at = [file, line, column === undefined ? undefined : column + 1];
  return `${at.filter((part) => part !== undefined).join(':')}: `;
}
