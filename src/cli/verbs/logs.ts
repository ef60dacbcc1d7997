import { kindOf } from '../../protocol/ids.ts';
import { positiveInteger, UsageError } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { EarlyLines, type ShownLine } from '../lists/early-lines.ts';
import { showNewest } from '../lists/newest.ts';
import { logText } from '../views/events.ts';

interface LogFlags {
  readonly n: number;
  readonly follow?: boolean;
}

export const logs: Verb = (program, cli) => {
  program
    .command('logs <source|workflow|run>')
    .description(
      'Show the newest log lines and run boundaries, oldest first; of a run of an action (arun_…), its own',
    )
    .option('-n <count>', 'maximum number of rows', positiveInteger, 100)
    .option('-f, --follow', 'keep printing new entries')
    .action(async (id: string, flags: LogFlags, command) => {
      await cli.connected(command, async (tools) => await run(tools, id, flags));
    });
};

async function run(tools: ConnectedTools, idOrSlug: string, flags: LogFlags): Promise<void> {
  if (kindOf(idOrSlug) === 'actionRun') return await showActionRun(tools, idOrSlug, flags);
  const { id } = await tools.call('emitters.find', { id: idOrSlug });
  const early = new EarlyLines();
  await showNewest<ShownLine>(tools, {
    count: flags.n,
    follow: flags.follow === true,
    list: (call, window) => call('logs.list', { id, ...window }),
    textOf: logText,
    cursorOf: (line) => String(line?.id ?? 0),
    concerns: (change) =>
      (change.type === 'log' && change.line.source_id === id) ||
      // A line outside of a run does not come as a change of its own.
      (change.type === 'source' && change.source.id === id),
    early: (change) =>
      change.type === 'console' && change.source_id === id ? early.take(change) : [],
    wasShown: (line) => early.wasShown(line),
  });
}

async function showActionRun(
  { call, out }: ConnectedTools,
  id: string,
  { n, follow }: LogFlags,
): Promise<void> {
  if (follow === true) throw new UsageError('The log of a run of an action is there at its end.');
  const lines = (await call('action_runs.get', { id })).logs.slice(-n);
  out.answer(lines, () =>
    lines.length === 0 ? 'It logged nothing.' : lines.map(logText).join('\n'),
  );
}
