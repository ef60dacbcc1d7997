import type { Verb } from '../cli.ts';
import { fields } from '../views/fields.ts';
import { listKind } from './list.ts';

interface CreateFlags {
  readonly name?: string;
  readonly description?: string;
}

export const webhooks: Verb = (program, cli) => {
  const group = program.command('webhooks').description('Where events are delivered to');
  group
    .command('create <url>')
    .description('Create a webhook; its signing secret is shown this once')
    .option('--name <name>')
    .option('--description <text>')
    .action(async (url: string, flags: CreateFlags, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const webhook = await call('webhooks.create', { url, ...flags });
        const { id, signing_secret } = webhook;
        out.answer(webhook, () =>
          fields({ id, url: webhook.url, 'signing secret': signing_secret }),
        );
      });
    });
  group
    .command('list')
    .description('List webhooks')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async (tools) => await listKind(tools, 'webhooks'));
    });
  group
    .command('delete <id>')
    .description('Delete a webhook and its subscriptions')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('webhooks.delete', { id });
        out.answer({ deleted: id }, () => `Deleted ${id}.`);
      });
    });
};
