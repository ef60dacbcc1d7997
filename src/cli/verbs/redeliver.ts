import type { Params } from '../../protocol/catalogue.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { table } from '../render/table.ts';
import { columnsOf } from '../views/columns.ts';

interface RedeliverFlags {
  readonly failed?: boolean;
  readonly since?: string;
  readonly webhook?: string;
}

export const redeliver: Verb = (program, cli) => {
  program
    .command('redeliver [id...]')
    .description('Send deliveries again, newly signed; a failed one is not retried')
    .option('--failed', 'send all deliveries that wait for a retry or were given up')
    .option('--since <iso>', 'with --failed: only deliveries made since this time')
    .option('--webhook <webhook>', 'with --failed: only deliveries to this webhook, by id or name')
    .action(async (ids: string[], flags: RedeliverFlags, command) => {
      const { failed = false, since, webhook } = flags;
      if ((ids.length === 0) === !failed) {
        throw new UsageError('Give the ids of deliveries (del_…), or --failed.');
      }
      if (!failed && (since !== undefined || webhook !== undefined)) {
        throw new UsageError('--since and --webhook need --failed.');
      }
      const chosen = failed
        ? {
            failed,
            ...(since === undefined ? {} : { since }),
            ...(webhook === undefined ? {} : { webhook_id: webhook }),
          }
        : { ids };
      await cli.connected(command, async (tools) => await run(tools, chosen));
    });
};

/** 1 when one of them failed again. */
async function run(
  { call, out, width }: ConnectedTools,
  chosen: Params<'deliveries.redeliverAll'>,
): Promise<ExitCode> {
  const { sent, skipped } = await call('deliveries.redeliverAll', chosen);
  out.answer(sent, () => table(columnsOf.deliveries, sent, width));
  if (skipped > 0) {
    out.note(`${skipped} were not sent: their webhook failed three times in a row.`);
  }
  return skipped === 0 && sent.every(({ last_error }) => last_error === null) ? 0 : 1;
}
