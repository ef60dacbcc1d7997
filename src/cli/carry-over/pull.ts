/** `weir carry-over pull`: calls the step behind an HTTP trigger, batch by batch. */
import type { Result } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode } from '../cli.ts';
import { blocksOf, requireSafe } from './fetch-blocks.ts';
import { Totals } from './totals.ts';

/** Longer than the platform lets a run over HTTP take. */
const timeoutMs = 120_000;

type Cursor = Result<'carry_over.status'>['data'][number]['cursors'][number]['next'];

/**
 * @param id undefined for the newest that has not ended
 * @throws UsageError for an address that anybody could listen at; WeirError with what to change
 */
export async function pull(
  tools: ConnectedTools,
  url: string,
  id: string | undefined,
): Promise<ExitCode> {
  const address = requireSafe(url);
  const { call, out, interrupted } = tools;
  const { data } = await call('carry_over.status', {});
  const carryOver = data.find((one) => (id === undefined ? !one.ended : one.id === id));
  if (carryOver === undefined) {
    throw new UsageError(
      id === undefined
        ? 'No carry-over is open. Run "weir carry-over step" first.'
        : `There is no carry-over ${id}. "weir carry-over status" lists them.`,
    );
  }
  const totals = new Totals();
  let cursor: Cursor =
    carryOver.cursors.find(({ source }) => source === address.href)?.next ?? null;
  for (let request = 1; ; request += 1) {
    out.progress(`Request ${request}: ${totals.text()}`);
    const body = await ask(address, carryOver.token, cursor, interrupted);
    let next: Cursor | undefined;
    let blocks = 0;
    for await (const block of blocksOf(body)) {
      const taken = await call('carry_over.take', { text: block, source: address.href });
      totals.add(taken);
      blocks += 1;
      if (taken.next !== undefined) next = taken.next;
      if (totals.refused.length > 0) return totals.show(tools);
    }
    if (blocks === 0) {
      throw new WeirError(
        'bad_input',
        `${address.host} answered without a block. Let the trigger return a custom response, and the step stand in its workflow as it was written.`,
      );
    }
    if (next === null) return totals.show(tools);
    if (next === undefined || JSON.stringify(next) === JSON.stringify(cursor)) {
      totals.refuse(
        'The last block of the answer is missing. Run the same command again to go on.',
      );
      return totals.show(tools);
    }
    cursor = next;
  }
}

async function ask(
  address: URL,
  token: string,
  cursor: Cursor,
  interrupted: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  let response: Response;
  try {
    response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-weir-carry': token },
      body: JSON.stringify({ cursor }),
      // The token is for this address alone.
      redirect: 'error',
      signal: AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMs)]),
    });
  } catch (error) {
    if (interrupted.aborted) {
      throw new WeirError(
        'cancelled',
        'Cancelled. What has come is kept; the same command goes on.',
      );
    }
    const message = `${address.host} does not answer (${messageOf(error)}). Run the same command again to go on.`;
    throw new WeirError('bad_input', message, undefined, error);
  }
  if (response.ok && response.body !== null) return response.body;
  await response.body?.cancel();
  throw new WeirError(
    'bad_input',
    response.status === 403
      ? `${address.host} refuses the token: another step stands there. Paste the newest one, or name its carry-over with --id.`
      : `${address.host} answered ${response.status}. Look at the run there, and run the same command again to go on.`,
  );
}
