import { UsageError } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { allPages } from '../../client/pages.ts';
import { scheduledChannel } from '../../protocol/channels.ts';
import { table } from '../render/table.ts';
import { columnsOf } from '../views/columns.ts';

const channel = { event_name: scheduledChannel };

export const scheduled: Verb = (program, cli) => {
  const group = program.command('scheduled').description('Events that wait for their delivery_ts');
  group
    .command('list <emitter>')
    .description('List the events that wait, the next one first')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async (tools) => await list(tools, id));
    });
  group
    .command('cancel <emitter> [event]')
    .description('Cancel an event that waits')
    .option('--all', 'cancel all waiting events')
    .action(async (id: string, event: string | undefined, flags: { all?: boolean }, command) => {
      if ((event === undefined) !== (flags.all === true)) {
        throw new UsageError('Give the id of the event to cancel, or --all.');
      }
      await cli.connected(command, async ({ call, out }) => {
        const which = event === undefined ? {} : { start_id: event, end_id: event };
        await call('events.delete', { id, ...which, ...channel });
        out.answer({ cancelled: event ?? 'all' }, () =>
          event === undefined ? 'Cancelled all that waited.' : `Cancelled ${event}.`,
        );
      });
    });
};

async function list({ call, out, width }: ConnectedTools, id: string): Promise<void> {
  const waiting = await allPages((page) => call('events.list', { id, ...channel, ...page }));
  const shown = waiting.toReversed();
  out.answer(shown, () =>
    shown.length === 0 ? 'No event waits.' : table(columnsOf.scheduled, shown, width),
  );
}
