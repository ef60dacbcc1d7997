/** `weir carry-over pull`: calls the step behind an HTTP trigger, batch by batch. */
import type { Result } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode } from '../cli.ts';
import { fetchBlocks, parseBlockUrl } from './fetch-blocks.ts';
import { Totals } from './totals.ts';

/** Longer than the platform lets a run over HTTP take. */
const timeoutMs = 120_000;
const again = 'Run the same command again to take the rest.';

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
  const address = parseBlockUrl(url);
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
    let next: Cursor | undefined;
    let blocks = 0;
    for await (const block of ask(address, carryOver.token, cursor, interrupted)) {
      const taken = await call('carry_over.take', { text: block, source: address.href });
      totals.add(taken);
      blocks += 1;
      if (taken.next !== undefined) next = taken.next;
    }
    if (blocks === 0) {
      throw new WeirError(
        'bad_input',
        `${address.host} answered without a block. Let the trigger return a custom response, and paste the step again, unchanged.`,
      );
    }
    if (next === null) return totals.show(tools);
    if (next === undefined || JSON.stringify(next) === JSON.stringify(cursor)) {
      totals.refuse(`The last block of the answer is missing. ${again}`);
      return totals.show(tools);
    }
    cursor = next;
  }
}

function ask(
  address: URL,
  token: string,
  cursor: Cursor,
  interrupted: AbortSignal,
): AsyncGenerator<string> {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-weir-carry': token },
    body: JSON.stringify({ cursor }),
    // The token is for this address alone.
    redirect: 'manual',
  };
  const refusal = (status: number): string => refusalOf(address.host, status);
  return fetchBlocks(address, { init, timeoutMs, interrupted, advice: again, refusal });
}

function refusalOf(host: string, status: number): string {
  if (status === 401) {
    return `${host} asks for an authorization. Switch the authorization of the trigger off: the step checks a token of its own.`;
  }
  if (status === 403) {
    return `${host} refuses the token, because the step there belongs to another carry-over. Paste the newest step, or name its carry-over with --id.`;
  }
  if (status >= 300 && status < 400) {
    return `${host} redirects to another address. Copy the address that the trigger shows.`;
  }
  return `${host} answered ${status}. Look at the run there, and run the same command again.`;
}
