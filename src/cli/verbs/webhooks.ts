import { seconds } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { fields, when } from '../views/fields.ts';
import { listKind } from './list.ts';

interface CreateFlags {
  readonly name?: string;
  readonly description?: string;
}

export const webhooks: Verb = (program, cli) => {
  const group = program
    .command('webhooks')
    .description('Webhooks: URLs that Weir delivers events to');
  group
    .command('create <url>')
    .description('Create a webhook; its signing secret is shown only once')
    .option('--name <name>', 'name of the webhook')
    .option('--description <text>', 'purpose of the webhook')
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
    .command('rotate <webhook>')
    .description('Make a new signing secret, shown only once; both secrets sign for a day')
    .option('--grace <seconds>', 'seconds that the old secret also signs; 0 ends it now', seconds)
    .action(async (id: string, flags: { grace?: number }, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const grace = flags.grace === undefined ? {} : { grace_seconds: flags.grace };
        const webhook = await call('webhooks.rotateSecret', { id, ...grace });
        out.answer(webhook, () =>
          fields({
            id,
            url: webhook.url,
            'signing secret': webhook.signing_secret,
            'old one until': when(webhook.old_secret_until * 1000),
          }),
        );
      });
    });
  group
    .command('delete <webhook>')
    .description('Delete a webhook and its subscriptions')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('webhooks.delete', { id });
        out.answer({ deleted: id }, () => `Deleted ${id}.`);
      });
    });
};
