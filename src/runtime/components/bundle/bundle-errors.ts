import { relative, resolve, sep } from 'node:path';
import type { Message } from 'esbuild';
import { type ErrorDetail, WeirError } from '../../../protocol/errors.ts';
import { packageOf } from '../packages/node-modules.ts';
import { unresolvedSpecifier } from '../packages/specifier.ts';

/** Turns what esbuild found wrong into one error: the first problem as its sentence, all as details. */
export function bundleError(messages: readonly Message[], workingFolder: string): WeirError {
  const details = messages.map((message) => errorDetail(message, workingFolder));
  const [first] = messages;
  if (first === undefined) return new WeirError('bad_component', 'The component does not compile.');
  const more = messages.length > 1 ? ` (and ${messages.length - 1} more)` : '';
  return new WeirError(
    'bad_component',
    `${place(first, workingFolder)}${sentence(first)}${more}`,
    details,
  );
}

function errorDetail(message: Message, workingFolder: string): ErrorDetail {
  const { location } = message;
  if (location === null) return { message: sentence(message) };
  return {
    message: sentence(message),
    file: resolve(workingFolder, location.file),
    line: location.line,
    column: characterColumn(location.lineText, location.column),
  };
}

/**
 * "tick.ts, line 3: ", with the path as seen from the component's folder, or for a file of an installed
 * package "left-pad/index.js, line 3: ": where that is installed its reader has never seen.
 */
function place({ location }: Message, workingFolder: string): string {
  if (location === null) return '';
  const file = resolve(workingFolder, location.file);
  const owner = packageOf(file);
  const shown =
    owner === undefined
      ? location.file
      : `${owner.name}/${relative(owner.folder, file).replaceAll(sep, '/')}`;
  return `${shown}, line ${location.line}: `;
}

function sentence(message: Message): string {
  const specifier = unresolvedSpecifier(message);
  if (specifier === undefined) return endWithPeriod(withoutFolders(message.text));
  if (/^[./]/.test(specifier)) return `"${specifier}" is imported, but there is no such file.`;
  const [note] = message.notes;
  return `"${specifier}" cannot be resolved${note === undefined ? '.' : `: ${endWithPeriod(note.text)}`}`;
}

/** `No matching export in "../.weir/packages/…/node_modules/uuid/index.js"` → `… in "uuid/index.js"`. */
function withoutFolders(text: string): string {
  return text.replaceAll(/"[^"]*[/\\]node_modules[/\\]([^"]+)"/g, '"$1"');
}

function endWithPeriod(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

/** esbuild counts bytes of UTF-8; editors count UTF-16 units. */
function characterColumn(lineText: string, byteColumn: number): number {
  return Buffer.from(lineText).subarray(0, byteColumn).toString().length;
}
