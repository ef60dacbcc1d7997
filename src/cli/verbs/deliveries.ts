import type { Delivery, DeliveryStatus } from '../../protocol/catalogue.ts';
import { positiveInteger } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { allPages } from '../../client/pages.ts';
import { table } from '../render/table.ts';
import { columnsOf } from '../views/columns.ts';

interface DeliveryFlags {
  readonly webhook?: string;
  readonly failed?: boolean;
  readonly n: number;
}

export const deliveries: Verb = (program, cli) => {
  program
    .command('deliveries')
    .description('Show the newest deliveries to webhooks, oldest first')
    .option('--webhook <webhook>', 'only deliveries to this webhook, by id or name')
    .option('--failed', 'only deliveries that wait for a retry or were given up')
    .option('-n <count>', 'maximum number of rows', positiveInteger, 10)
    .action(async (flags: DeliveryFlags, command) => {
      await cli.connected(command, async (tools) => {
        const found =
          flags.failed === true
            ? await failedDeliveries(tools, flags.n, flags.webhook)
            : await listDeliveries(tools, flags.n, flags.webhook);
        const shown = found.toReversed();
        tools.out.answer(shown, () =>
          shown.length === 0
            ? 'There are no such deliveries.'
            : table(columnsOf.deliveries, shown, tools.width),
        );
      });
    });
};

/** Newest first. */
async function failedDeliveries(
  tools: ConnectedTools,
  most: number,
  webhook?: string,
): Promise<Delivery[]> {
  const retrying = await listDeliveries(tools, most, webhook, 'retrying');
  const exhausted = await listDeliveries(tools, most, webhook, 'exhausted');
  return [...retrying, ...exhausted].toSorted((a, b) => b.created_at - a.created_at).slice(0, most);
}

async function listDeliveries(
  { call }: ConnectedTools,
  most: number,
  webhook: string | undefined,
  status?: DeliveryStatus,
): Promise<Delivery[]> {
  const filter = {
    ...(webhook === undefined ? {} : { webhook_id: webhook }),
    ...(status === undefined ? {} : { status }),
  };
  return await allPages((page) => call('deliveries.list', { ...filter, ...page }), most);
}
