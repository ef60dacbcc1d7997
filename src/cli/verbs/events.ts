import { positiveInteger } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { showNewest } from '../lists/newest.ts';
import { eventText } from '../views/events.ts';

interface EventFlags {
  readonly n: number;
  readonly follow?: boolean;
  readonly channel?: string;
  readonly search?: string;
}

export const events: Verb = (program, cli) => {
  program
    .command('events <emitter>')
    .description('Show the newest events, oldest first')
    .option('-n <count>', 'maximum number of rows', positiveInteger, 10)
    .option('-f, --follow', 'keep printing new entries')
    .option('--channel <name>', 'only events of this channel')
    .option('--search <text>', 'only events with all these words in summary or payload')
    .action(async (id: string, flags: EventFlags, command) => {
      await cli.connected(command, async (tools) => await run(tools, id, flags));
    });
};

async function run(tools: ConnectedTools, idOrSlug: string, flags: EventFlags): Promise<void> {
  const { id } = await tools.call('emitters.find', { id: idOrSlug });
  const wanted = {
    id,
    expand: 'event' as const,
    ...(flags.channel === undefined ? {} : { event_name: flags.channel }),
    ...(flags.search === undefined ? {} : { q: flags.search }),
  };
  await showNewest(tools, {
    count: flags.n,
    follow: flags.follow === true,
    list: (call, window) => call('events.list', { ...wanted, ...window }),
    textOf: eventText,
    cursorOf: (event) => event?.id ?? '0-0',
    concerns: (change) => change.type === 'event' && change.event.metadata.emitter_id === id,
  });
}
