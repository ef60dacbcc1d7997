import type { Result } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { allPages } from '../../client/pages.ts';

export const stop: Verb = (program, cli) => {
  program
    .command('stop <source> [run...]')
    .description('Cancel waiting or running runs (inv_…); without ids, all running ones')
    .action(async (source: string, ids: string[], _flags: object, command) => {
      await cli.connected(command, async (tools) => {
        const { call, out } = tools;
        const { id } = await call('sources.get', { id: source });
        const stopped: Result<'invocations.stop'>[] = [];
        const over: string[] = [];
        for (const invocation_id of ids.length > 0 ? ids : await goingOn(tools, id)) {
          try {
            stopped.push(await call('invocations.stop', { id, invocation_id }));
          } catch (error) {
            // It has ended meanwhile, and keeps none of the others from being stopped.
            if (!WeirError.is(error, 'conflict')) throw error;
            over.push(error.message);
          }
        }
        const text = stopped.map((run) => `${run.id}  ${run.status}`).join('\n');
        if (ids.length === 0 || stopped.length > 0) {
          out.answer(stopped, () => (text === '' ? 'No run is going on.' : text));
        }
        if (ids.length > 0 && over.length > 0) throw new WeirError('conflict', over.join(' '));
      });
    });
};

async function goingOn({ call }: ConnectedTools, id: string): Promise<string[]> {
  const running = { id, status: 'running' } as const;
  const runs = await allPages((page) => call('invocations.list', { ...running, ...page }));
  return runs.map((run) => run.id);
}
