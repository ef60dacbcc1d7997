/** `weir data-stores import`: records of a file, written in batches. A file is checked as a whole before its first record is written. */
import { extname, resolve } from 'node:path';
import { type ErrorDetail, messageOf, WeirError } from '../../protocol/errors.ts';
import type { Params } from '../../protocol/catalogue.ts';
import { requireFile, UsageError } from '../arguments.ts';
import type { ConnectedTools } from '../cli.ts';
import { progressBar } from '../render/progress-bar.ts';
import { type ReadLine, type RecordFormat, recordsIn, recordsInFile } from './read-records.ts';
import { RecordBatch } from './record-batch.ts';

export interface ImportFlags {
  readonly format?: RecordFormat;
  readonly keep?: boolean;
}

/** Bad lines that are shown. */
const mostShown = 10;

/**
 * @param file standard input without one
 * @throws WeirError `bad_input` with the lines that are wrong, `cancelled` with the number of records that were written
 */
export async function importRecords(
  tools: ConnectedTools,
  store: string,
  file: string | undefined,
  flags: ImportFlags,
): Promise<void> {
  const { io, out, call } = tools;
  if (file === undefined && io.stdin.isTTY === true) {
    throw new UsageError('Name a file, or pipe records into this command.');
  }
  if (store === '') throw new UsageError('Name a data store.');
  const path = file === undefined || file === '-' ? undefined : resolve(io.cwd, file);
  const source = path === undefined ? pipeOf(tools, flags) : await fileOf(path, flags);
  // A pipe can be read once only.
  if (source.bytes !== undefined) await checkAll(tools, source);
  const { id } = await call('data_stores.create', { name: store });
  const done = await writeAll(tools, id, source, flags.keep === true);
  out.answer({ id, ...done }, () => {
    const kept = done.kept === 0 ? '' : ` ${numberText(done.kept)} were there already and stayed.`;
    return `Wrote ${numberText(done.written)} ${done.written === 1 ? 'record' : 'records'} into ${store}.${kept}`;
  });
}

interface Source {
  /** As messages call it. */
  readonly name: string;
  /** Length of the whole input; undefined for a pipe. */
  readonly bytes: number | undefined;
  lines(): AsyncGenerator<ReadLine>;
}

async function fileOf(path: string, { format }: ImportFlags): Promise<Source> {
  const found = await requireFile(path);
  const known = format ?? (extname(path).toLowerCase() === '.csv' ? 'csv' : 'jsonl');
  const bytes = found.isFile() ? found.size : undefined;
  return { name: path, bytes, lines: () => recordsInFile(path, known) };
}

function pipeOf({ io }: ConnectedTools, { format = 'jsonl' }: ImportFlags): Source {
  return {
    name: 'standard input',
    bytes: undefined,
    lines: () => recordsIn(io.stdin as AsyncIterable<Uint8Array>, format),
  };
}

async function checkAll(tools: ConnectedTools, source: Source): Promise<void> {
  const path = source.name;
  const details: ErrorDetail[] = [];
  let count = 0;
  let shownAt = 0;
  for await (const { line, read, bytes } of source.lines()) {
    if (tools.interrupted.aborted)
      throw new WeirError('cancelled', 'Cancelled. Nothing was written.');
    if (bytes !== shownAt) tools.out.progress(progressBar('Checking', bytes, source.bytes));
    shownAt = bytes;
    if (!('wrong' in read)) continue;
    count += 1;
    if (count <= mostShown)
      details.push({ message: `Line ${line} ${read.wrong}.`, file: path, line });
  }
  tools.out.endProgress();
  if (count === 0) return;
  const more = count > mostShown ? ` The first ${mostShown} are shown.` : '';
  const lines = count === 1 ? '1 line' : `${numberText(count)} lines`;
  throw new WeirError(
    'bad_input',
    `${lines} of ${path} cannot be imported. Nothing was written.${more}`,
    details,
  );
}

interface Done {
  readonly written: number;
  readonly kept: number;
}

async function writeAll(
  { call, out, interrupted }: ConnectedTools,
  id: string,
  source: Source,
  keep: boolean,
): Promise<Done> {
  const done = { written: 0, kept: 0 };
  // A batch that has been sent is written as a whole, so that the count is right after Ctrl-C.
  const whole = new AbortController().signal;
  const write = async (records: Params<'data_store_records.import'>['records']): Promise<void> => {
    const request = { id, records, keep };
    const { written, kept } = await call('data_store_records.import', request, {
      signal: whole,
    }).catch((error: unknown): never => {
      const { code, message, details } = WeirError.is(error)
        ? error
        : new WeirError('internal', messageOf(error));
      throw new WeirError(code, `${message} ${writtenText(done.written)}`, details, error);
    });
    done.written += written;
    done.kept += kept;
  };
  const batch = new RecordBatch();
  for await (const { line, read, bytes } of source.lines()) {
    if (interrupted.aborted) break;
    if ('wrong' in read) {
      throw new WeirError(
        'bad_input',
        `Line ${line} of ${source.name} ${read.wrong}. ${writtenText(done.written)}`,
      );
    }
    if (!batch.add(read)) continue;
    await write(batch.take());
    out.progress(
      `${progressBar('Importing', bytes, source.bytes)}, ${numberText(done.written + done.kept)} records`,
    );
  }
  if (!interrupted.aborted && !batch.isEmpty) await write(batch.take());
  else if (interrupted.aborted)
    throw new WeirError('cancelled', `Cancelled. ${writtenText(done.written)}`);
  return done;
}

function writtenText(count: number): string {
  if (count === 0) return 'Nothing was written.';
  const records = count === 1 ? '1 record was' : `${numberText(count)} records were`;
  return `${records} written before. Import the whole file again to write the rest.`;
}

function numberText(count: number): string {
  return count.toLocaleString('en-US');
}
