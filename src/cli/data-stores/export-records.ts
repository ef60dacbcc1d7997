/** `weir data-stores export`: all records of a store, page by page, to standard output. */
import { once } from 'node:events';
import { WeirError } from '../../protocol/errors.ts';
import type { ConnectedTools } from '../cli.ts';
import { progressBar } from '../render/progress-bar.ts';
import type { RecordFormat } from './read-records.ts';
import { headerOf, lineOf } from './write-records.ts';

/** @throws WeirError `cancelled`, `not_found` */
export async function exportRecords(
  { io, out, call, interrupted }: ConnectedTools,
  id: string,
  format: RecordFormat = 'jsonl',
): Promise<void> {
  const print = async (text: string): Promise<void> => {
    // A pipe that is read slowly must not fill the memory.
    if (text !== '' && !io.stdout.write(text)) await once(io.stdout, 'drain');
  };
  // Records on a terminal and a progress bar would be written over each other.
  const isQuiet = io.stdout.isTTY === true;
  const { page_info: page } = await call('data_store_records.list', { id, limit: 1 });
  await print(headerOf(format));
  let count = 0;
  let after: string | null = null;
  do {
    const from: { after?: string } = after === null ? {} : { after };
    const { records, next } = await call('data_store_records.export', { id, ...from });
    if (interrupted.aborted) throw new WeirError('cancelled', `Cancelled after ${count} records.`);
    await print(records.map((record) => lineOf(record, format)).join(''));
    count += records.length;
    if (!isQuiet) out.progress(progressBar('Exporting', count, page.total_count));
    after = next;
  } while (after !== null);
  out.endProgress();
}
