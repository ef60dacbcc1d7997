import { fileURLToPath } from 'node:url';
import { WeirError, type ErrorDetail } from '../../protocol/errors.ts';
import type { ThrownError } from '../../protocol/host.ts';

/** Why a bundle could not be loaded, as an error for its author, with the place when it is known. */
export function loadError(error: ThrownError): WeirError {
  // What the host itself found wrong with a component is a whole sentence already.
  const message =
    error.name === 'ComponentError' ? error.message : `${error.name}: ${error.message}`;
  const place = error.stack === undefined ? undefined : placeOf(error.stack);
  const detail: ErrorDetail = {
    message,
    ...place,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  };
  const where = place === undefined ? '' : ` (${place.file}:${place.line})`;
  return new WeirError('bad_component', `The component cannot be loaded: ${message}${where}`, [
    detail,
  ]);
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `at name (/path/file.mjs:1:2)`, the path plain or as a file URL. */
const frame = /^\s+at (?:.* \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):(\d+):(\d+)\)?$/;

/** The first frame of a stack that is in a file. */
export function placeOf(stack: string): Place | undefined {
  for (const text of stack.split('\n')) {
    const [, file, line, column] = frame.exec(text) ?? [];
    if (file === undefined) continue;
    return {
      file: file.startsWith('file://') ? fileURLToPath(file) : file,
      line: Number(line),
      // V8 counts columns from 1, ErrorDetail from 0.
      column: Number(column) - 1,
    };
  }
  return undefined;
}
