import type { Verb } from '../cli.ts';

export const deleteEmitter: Verb = (program, cli) => {
  program
    .command('delete <source|workflow>')
    .description(
      'Delete a source with its events, after its deactivate hook, or a workflow with its executions',
    )
    .option('--ignore-hook-errors', 'delete a source even if the hook fails')
    .action(async (name: string, flags: { ignoreHookErrors?: boolean }, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const { id, type } = await call('emitters.find', { id: name });
        if (type === 'workflow') await call('workflows.delete', { id });
        else {
          await call('sources.delete', { id, ignore_hook_errors: flags.ignoreHookErrors === true });
        }
        out.answer({ deleted: id }, () => `Deleted ${name}.`);
      });
    });
};
