/** `weir carry-over take`: blocks out of a file, a URL or standard input. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode } from '../cli.ts';
import { blocksOf, requireSafe } from './fetch-blocks.ts';
import { Totals } from './totals.ts';

const timeoutMs = 600_000;

/** @throws WeirError `bad_input` for a text without a block */
export async function take(tools: ConnectedTools, from: string | undefined): Promise<ExitCode> {
  const { call, out } = tools;
  const totals = new Totals();
  for await (const block of blocksOf(await open(tools, from))) {
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
): Promise<AsyncIterable<Uint8Array | string>> {
  if (from === undefined || from === '-') {
    if (io.stdin.isTTY === true) {
      throw new UsageError('Name a file or a URL, or pipe a text into this command.');
    }
    return io.stdin as AsyncIterable<Uint8Array>;
  }
  if (/^https?:/i.test(from)) return download(requireSafe(from), interrupted);
  const path = resolve(io.cwd, from);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new UsageError(`There is no file ${path}.`);
  return createReadStream(path);
}

async function download(url: URL, interrupted: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  try {
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, { signal });
    if (response.ok && response.body !== null) return response.body;
    await response.body?.cancel();
    throw new WeirError(
      'bad_input',
      `${url.host} answered ${response.status}. The URL of a file ends after half an hour: test the step again.`,
    );
  } catch (error) {
    if (WeirError.is(error)) throw error;
    const message = `${url.host} does not answer (${messageOf(error)}). Try again.`;
    throw new WeirError('bad_input', message, undefined, error);
  }
}
