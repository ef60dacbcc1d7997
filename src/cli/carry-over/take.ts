/** `weir carry-over take`: blocks out of a file, a URL or standard input. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import { requireFile, UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode } from '../cli.ts';
import { blocksOf, fetchBlocks, parseBlockUrl } from './fetch-blocks.ts';
import { Totals } from './totals.ts';

const timeoutMs = 600_000;

/** @throws WeirError `bad_input` for a text without a block */
export async function take(tools: ConnectedTools, from: string | undefined): Promise<ExitCode> {
  const { call, out } = tools;
  const totals = new Totals();
  for await (const block of await open(tools, from)) {
    totals.add(await call('carry_over.take', { text: block }));
    out.progress(totals.text());
  }
  if (totals.isEmpty) {
    throw new WeirError(
      'bad_input',
      `${from ?? 'Standard input'} has no block of a carry-over. Copy the whole value that the step returned.`,
    );
  }
  return totals.show(tools);
}

async function open(
  { io, interrupted }: ConnectedTools,
  from: string | undefined,
): Promise<AsyncIterable<string>> {
  if (from === undefined || from === '-') {
    if (io.stdin.isTTY === true) {
      throw new UsageError('Name a file or a URL, or pipe a text into this command.');
    }
    return blocksOf(io.stdin as AsyncIterable<Uint8Array>);
  }
  if (/^https?:/i.test(from)) {
    const url = parseBlockUrl(from);
    const refusal = (status: number): string =>
      `${url.host} answered ${status}. The URL of a file expires after half an hour: test the step again.`;
    return fetchBlocks(url, { timeoutMs, interrupted, advice: 'Try again.', refusal });
  }
  const path = resolve(io.cwd, from);
  await requireFile(path);
  return blocksOf(createReadStream(path));
}
