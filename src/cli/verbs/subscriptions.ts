import { UsageError } from '../arguments.ts';
import type { Verb } from '../cli.ts';
import { fields } from '../views/fields.ts';
import { listKind } from './list.ts';

interface ChannelFlags {
  readonly eventName?: string;
}

export const subscriptions: Verb = (program, cli) => {
  const group = program
    .command('subscriptions')
    .description('Subscriptions: which listeners get the events of which emitters');
  group
    .command('create <emitter> <listener>')
    .description('Deliver the events of an emitter to a webhook, a source or a workflow')
    .option('--event-name <channel>', 'subscribe to this channel instead of the default one')
    .action(async (emitter: string, listener: string, flags: ChannelFlags, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const made = await call('subscriptions.create', {
          emitter_id: emitter,
          listener_id: listener,
          ...channelOf(flags),
        });
        const { id, emitter_id, listener_id, event_name, warnings = [] } = made;
        for (const warning of warnings) out.note(warning);
        out.answer(made, () =>
          fields({ id, emitter: emitter_id, listener: listener_id, channel: event_name || null }),
        );
      });
    });
  group
    .command('list')
    .description('List subscriptions')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async (tools) => await listKind(tools, 'subscriptions'));
    });
  group
    .command('delete <subscription> [listener]')
    .description('Delete a subscription, by its id or by emitter and listener')
    .option('--event-name <channel>', 'channel of the subscription, if not the default one')
    .action(async (first: string, listener: string | undefined, flags: ChannelFlags, command) => {
      const named = first.startsWith('sub_');
      if (!named && listener === undefined) {
        throw new UsageError(
          `"${first}" is not the id of a subscription (sub_…); give emitter and listener instead.`,
        );
      }
      await cli.connected(command, async ({ call, out }) => {
        const which = named
          ? { subscription_id: first }
          : { emitter_id: first, listener_id: listener ?? '', ...channelOf(flags) };
        await call('subscriptions.delete', which);
        out.answer({ deleted: which }, () => 'Deleted the subscription.');
      });
    });
};

function channelOf({ eventName }: ChannelFlags): { event_name?: string } {
  return eventName === undefined ? {} : { event_name: eventName };
}
