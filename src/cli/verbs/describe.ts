import { UsageError } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { deliveryText, sourceText, webhookText } from '../views/details.ts';
import { workflowText } from '../views/workflows.ts';

export const describe: Verb = (program, cli) => {
  program
    .command('describe <source|workflow>')
    .description(
      'Show a source or workflow; given its id also a webhook, or a delivery with its attempts',
    )
    .option('--code', 'print the code of a source')
    .action(async (id: string, flags: { code?: boolean }, command) => {
      const code = flags.code === true;
      const isEmitter = !/^(?:wh|del)_/.test(id);
      if (code && !isEmitter) throw new UsageError(`${id} is not a source, so it has no code.`);
      await cli.connected(command, async (tools) => {
        if (isEmitter) await describeEmitter(tools, id, code);
        else if (id.startsWith('wh_')) await describeWebhook(tools, id);
        else await describeDelivery(tools, id);
      });
    });
};

async function describeEmitter(
  { call, out }: ConnectedTools,
  name: string,
  code: boolean,
): Promise<void> {
  const { id, type } = await call('emitters.find', { id: name });
  if (type === 'workflow') {
    if (code) throw new UsageError(`${name} is a workflow: its code lies in its folder.`);
    const workflow = await call('workflows.get', { id });
    out.answer(workflow, () => workflowText(workflow));
    return;
  }
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
