import { createReconnectingClient } from '../../client/reconnecting.ts';
import type { EmittedEvent } from '../../protocol/catalogue.ts';
import { allPages } from '../all-pages.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { follow } from '../follow.ts';
import { positiveInteger } from '../numbers.ts';
import { eventText } from '../views/events.ts';

interface EventFlags {
  readonly n: number;
  readonly follow?: boolean;
  readonly channel?: string;
  readonly search?: string;
}

export const events: Verb = (program, cli) => {
  program
    .command('events <source>')
    .description('Show the newest events, oldest first')
    .option('-n <count>', 'how many', positiveInteger, 10)
    .option('-f, --follow', 'go on with new ones')
    .option('--channel <name>', 'only this channel')
    .option('--search <text>', 'only those with all these words in summary or payload')
    .action(async (id: string, flags: EventFlags, command) => {
      await cli.connected(command, async (tools) => await run(tools, id, flags));
    });
};

async function run(tools: ConnectedTools, idOrSlug: string, flags: EventFlags): Promise<void> {
  const { call, out, dataFolder, interrupted } = tools;
  const { id } = await call('sources.get', { id: idOrSlug });
  const base = {
    id,
    expand: 'event' as const,
    ...(flags.channel === undefined ? {} : { event_name: flags.channel }),
    ...(flags.search === undefined ? {} : { q: flags.search }),
  };
  const newest = await allPages((page) => call('events.list', { ...base, ...page }), flags.n);
  const shown = newest.toReversed();
  const print = (items: readonly EmittedEvent[]): void => {
    for (const event of items) out.item(event, () => eventText(event));
  };
  if (flags.follow !== true) {
    out.answer(shown, () => shown.map(eventText).join('\n'));
    return;
  }
  print(shown);
  const client = createReconnectingClient({ dataFolder });
  try {
    await follow({
      client,
      cursor: shown.at(-1)?.id ?? '0-0',
      newer: (before) => client.call('events.list', { ...base, before, limit: 100 }),
      concerns: (change) => change.type === 'event' && change.event.metadata.emitter_id === id,
      print,
      note: (sentence) => out.note(sentence),
      signal: interrupted,
    });
  } finally {
    client.close();
  }
}
