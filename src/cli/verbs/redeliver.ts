import type { Delivery } from '../../protocol/catalogue.ts';
import type { Verb } from '../cli.ts';
import { table } from '../render/table.ts';
import { UsageError } from '../usage-error.ts';
import { columnsOf } from '../views/columns.ts';
import { failedDeliveries } from './deliveries.ts';

export const redeliver: Verb = (program, cli) => {
  program
    .command('redeliver [id...]')
    .description('Send deliveries again, as they were')
    .option('--failed', 'all that failed')
    .action(async (ids: string[], flags: { failed?: boolean }, command) => {
      if ((ids.length === 0) === (flags.failed !== true)) {
        throw new UsageError('Give the ids of deliveries (del_…), or --failed.');
      }
      await cli.connected(command, async (tools) => {
        const all =
          flags.failed === true ? await failedDeliveries(tools, Number.POSITIVE_INFINITY) : [];
        const sent: Delivery[] = [];
        for (const id of [...ids, ...all.map((delivery) => delivery.id)]) {
          sent.push(await tools.call('deliveries.redeliver', { id }));
        }
        tools.out.answer(sent, () => table(columnsOf.deliveries, sent, tools.width));
      });
    });
};
