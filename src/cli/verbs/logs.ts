import type { ConnectedTools, Verb } from '../cli.ts';
import { positiveInteger } from '../numbers.ts';
import { showNewest } from '../show-newest.ts';
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
  const { id } = await tools.call('sources.get', { id: idOrSlug });
  await showNewest(tools, {
    count: flags.n,
    follow: flags.follow === true,
    list: (call, window) => call('logs.list', { id, ...window }),
    textOf: logText,
    cursorOf: (line) => String(line?.id ?? 0),
    concerns: (change) =>
      (change.type === 'log' && change.line.source_id === id) ||
      // Lines outside of a run come with no change of their own.
      (change.type === 'source' && change.source.id === id),
  });
}
