import type { Result } from '../../protocol/catalogue.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { allPages } from '../../client/pages.ts';

/** How many of a source's newest runs are searched for those that go on. */
const mostRuns = 10_000;

export const stop: Verb = (program, cli) => {
  program
    .command('stop <source> [run...]')
    .description('End runs that wait or go on (inv_…); without ids all that go on')
    .action(async (source: string, ids: string[], _flags: object, command) => {
      await cli.connected(command, async (tools) => {
        const { call, out } = tools;
        const { id } = await call('sources.get', { id: source });
        const stopped: Result<'invocations.stop'>[] = [];
        for (const invocation_id of ids.length > 0 ? ids : await goingOn(tools, id)) {
          stopped.push(await call('invocations.stop', { id, invocation_id }));
        }
        out.answer(stopped, () =>
          stopped.length === 0
            ? 'No run is going on.'
            : stopped.map((run) => `${run.id}  ${run.status}`).join('\n'),
        );
      });
    });
};

async function goingOn({ call }: ConnectedTools, id: string): Promise<string[]> {
  const runs = await allPages((page) => call('invocations.list', { id, ...page }), mostRuns);
  return runs.filter(({ status }) => status === 'running').map((run) => run.id);
}
