import { createReconnectingClient } from '../../client/reconnecting.ts';
import type { LogLine } from '../../protocol/catalogue.ts';
import { allPages } from '../all-pages.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { follow } from '../follow.ts';
import { positiveInteger } from '../numbers.ts';
import { logText } from '../views/events.ts';

interface LogFlags {
  readonly n: number;
  readonly follow?: boolean;
}

export const logs: Verb = (program, cli) => {
  program
    .command('logs <source>')
    .description('Show the newest log lines and run boundaries, oldest first')
    .option('-n <count>', 'how many', positiveInteger, 100)
    .option('-f, --follow', 'go on with new ones')
    .action(async (id: string, flags: LogFlags, command) => {
      await cli.connected(command, async (tools) => await run(tools, id, flags));
    });
};

async function run(tools: ConnectedTools, idOrSlug: string, flags: LogFlags): Promise<void> {
  const { call, out, dataFolder, interrupted } = tools;
  const { id } = await call('sources.get', { id: idOrSlug });
  const newest = await allPages((page) => call('logs.list', { id, ...page }), flags.n);
  const shown = newest.toReversed();
  const print = (lines: readonly LogLine[]): void => {
    for (const line of lines) out.item(line, () => logText(line));
  };
  if (flags.follow !== true) {
    out.answer(shown, () => shown.map(logText).join('\n'));
    return;
  }
  print(shown);
  const client = createReconnectingClient({ dataFolder });
  try {
    await follow({
      client,
      cursor: String(shown.at(-1)?.id ?? 0),
      newer: (before) => client.call('logs.list', { id, before, limit: 100 }),
      concerns: (change) =>
        (change.type === 'log' && change.line.source_id === id) ||
        // Lines outside of a run come with no change of their own.
        (change.type === 'source' && change.source.id === id),
      print,
      note: (sentence) => out.note(sentence),
      signal: interrupted,
    });
  } finally {
    client.close();
  }
}
