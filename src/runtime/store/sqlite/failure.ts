import { dirname } from 'node:path';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { resultCode, SqliteError } from './wasm/result-code.ts';

/**
 * Makes one sentence of what went wrong with the store's file: which file, and what to do.
 * @param system what the disk said, where SQLite kept a number only.
 */
export function storeFailure(file: string, error: unknown, system?: unknown): WeirError {
  if (WeirError.is(error)) return error;
  return new WeirError('store_failed', sentence(file, error, system), undefined, error);
}

/** Results behind which the system's own error tells more. */
const ofTheSystem = new Set<number>([
  resultCode.ioError,
  resultCode.full,
  resultCode.cannotOpen,
  resultCode.readOnly,
]);

function sentence(file: string, error: unknown, system: unknown): string {
  const code = error instanceof SqliteError ? error.code : undefined;
  const errno = errnoName(error) ?? (ofTheSystem.has(code ?? -1) ? errnoName(system) : undefined);
  if (errno === 'ENOSPC' || errno === 'EDQUOT' || code === resultCode.full) {
    return `The disk with the store ${file} is full: free some space and start the runtime again.`;
  }
  if (errno === 'EROFS' || code === resultCode.readOnly) {
    return `The store ${file} cannot be written: it or its folder ${dirname(file)} is read-only.`;
  }
  if (errno === 'EACCES' || errno === 'EPERM') {
    return `The store ${file} may not be read and written by this user: change the rights of the file and of its folder ${dirname(file)}.`;
  }
  if (errno === 'EISDIR') return `The store ${file} is a folder: move it away.`;
  if (errno === 'EMFILE' || errno === 'ENFILE') {
    return `The store ${file} could not be opened because too many files are open: raise the limit (ulimit -n).`;
  }
  if (code === resultCode.notADatabase) return notADatabase(file);
  if (code === resultCode.corrupt) {
    return damaged(file, messageOf(error));
  }
  const detail = system === undefined ? messageOf(error) : messageOf(system);
  return `The store ${file} could not be read or written (${detail}): check the disk and start the runtime again.`;
}

export function damaged(file: string, found: string): string {
  return `The store ${file} is damaged (${found}): put a copy in its place, or save what can be read with "weir doctor --salvage FILE"; the file was left as it is.`;
}

export function notADatabase(file: string): string {
  return `${file} is not a SQLite database: move it away to start with an empty store, or put a copy of the store in its place.`;
}

function errnoName(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
