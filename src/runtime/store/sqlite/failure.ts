import { dirname } from 'node:path';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { resultCode, SqliteError } from './wasm/result-code.ts';

/**
 * One sentence about a failure of the store's file: which file, and what to do.
 * @param system the error of the disk, because SQLite keeps only a number.
 */
export function storeFailure(file: string, error: unknown, system?: unknown): WeirError {
  if (WeirError.is(error)) return error;
  return new WeirError('store_failed', sentence(file, error, system), undefined, error);
}

/**
 * The same for an error of Weir itself: no disk refused anything, but half a write cannot be kept. Its cause is the
 * error.
 */
export function storeFault(file: string, error: unknown): WeirError {
  return new WeirError('store_failed', fault(file, messageOf(error)), undefined, error);
}

/** Results of a statement that is wrong, or given what it cannot take. */
const ofTheProgram = new Set<number>([
  resultCode.error,
  resultCode.mismatch,
  resultCode.misuse,
  resultCode.range,
]);

/** Results behind which the system's own error tells more. */
const ofTheSystem = new Set<number>([
  resultCode.ioError,
  resultCode.full,
  resultCode.cannotOpen,
  resultCode.readOnly,
]);

function sentence(file: string, error: unknown, system: unknown): string {
  const code = error instanceof SqliteError ? error.code : undefined;
  // The system's latest error may be of long ago: it belongs to these results only.
  const behind = code !== undefined && ofTheSystem.has(code) ? system : undefined;
  const errno = errnoName(error) ?? errnoName(behind);
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
  if (code !== undefined && ofTheProgram.has(code)) return fault(file, messageOf(error));
  const detail = messageOf(behind ?? error);
  return `The store ${file} could not be read or written (${detail}): check the disk and start the runtime again.`;
}

export function damaged(file: string, found: string): string {
  return `The store ${file} is damaged (${found}): put a copy in its place, or save what can be read with "weir doctor --salvage FILE"; the file was left as it is.`;
}

function fault(file: string, found: string): string {
  return `The store ${file} takes nothing more, because of an error in Weir itself (${found}): start the runtime again. What was acknowledged is on the disk.`;
}

export function notADatabase(file: string): string {
  return `${file} is not a SQLite database: move it away to start with an empty store, or put a copy of the store in its place.`;
}

function errnoName(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
