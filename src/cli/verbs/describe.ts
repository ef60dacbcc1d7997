import { UsageError } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { deliveryText, sourceText, webhookText } from '../views/details.ts';

export const describe: Verb = (program, cli) => {
  program
    .command('describe <source>')
    .description('Show a source; given its id also a webhook, or a delivery with its attempts')
    .option('--code', 'print the code of a source')
    .action(async (id: string, flags: { code?: boolean }, command) => {
      const code = flags.code === true;
      const isSource = !/^(?:wh|del)_/.test(id);
      if (code && !isSource) throw new UsageError(`${id} is not a source, so it has no code.`);
      await cli.connected(command, async (tools) => {
        if (isSource) await describeSource(tools, id, code);
        else if (id.startsWith('wh_')) await describeWebhook(tools, id);
        else await describeDelivery(tools, id);
      });
    });
};

async function describeSource(
  { call, out }: ConnectedTools,
  id: string,
  code: boolean,
): Promise<void> {
  const source = await call('sources.get', { id, ...(code ? { include_code: true } : {}) });
  out.answer(source, () => (code ? (source.code ?? '') : sourceText(source)));
}

async function describeWebhook({ call, out }: ConnectedTools, id: string): Promise<void> {
  const webhook = await call('webhooks.get', { id });
  out.answer(webhook, () => webhookText(webhook));
}

async function describeDelivery({ call, out }: ConnectedTools, id: string): Promise<void> {
  const delivery = await call('deliveries.get', { id });
  out.answer(delivery, () => deliveryText(delivery));
}
