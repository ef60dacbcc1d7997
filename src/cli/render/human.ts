import { styleText } from 'node:util';
import type { ErrorData, ErrorDetail } from '../../protocol/errors.ts';
import type { Output } from '../io.ts';
import { printable } from './printable.ts';
import type { Renderer } from './renderer.ts';

/** Prints for a person. Progress shows on a terminal only, on one line that is wiped again. */
export function createHumanRenderer(stdout: Output, stderr: Output): Renderer {
  let progressShown = false;
  const wipe = (): void => {
    if (progressShown) stderr.write('\r\u001b[2K');
    progressShown = false;
  };
  const print = (to: Output, text: string): void => {
    wipe();
    if (text !== '') to.write(`${printable(text)}\n`);
  };
  return {
    answer: (_value, human) => print(stdout, human()),
    item: (_value, human) => print(stdout, human()),
    note: (sentence) => print(stderr, sentence),
    progress(sentence) {
      if (stderr.isTTY !== true) return;
      wipe();
      const text = printable(sentence).slice(0, widthOf(stderr) - 1);
      stderr.write(styleText('dim', text, { validateStream: false }));
      progressShown = true;
    },
    fail(error) {
      for (const line of errorLines(error)) print(stderr, line);
    },
  };
}

/** Some terminals do not know their width, and say 0. */
function widthOf({ columns = 0 }: Output): number {
  return columns > 0 ? columns : 80;
}

function errorLines({ message, details = [] }: ErrorData): string[] {
  // A sentence that was put together from the details needs no list of them.
  const more = details.filter((detail) => !message.includes(detail.message) || detail.file);
  return [`weir: ${message}`, ...more.map((detail) => `  ${placeOf(detail)}${detail.message}`)];
}

function placeOf({ file, line, column }: ErrorDetail): string {
  if (file === undefined) return '- ';
  const at = [file, line, column === undefined ? undefined : column + 1];
  return `${at.filter((part) => part !== undefined).join(':')}: `;
}
