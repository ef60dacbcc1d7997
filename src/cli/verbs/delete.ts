import type { Verb } from '../cli.ts';

export const deleteSource: Verb = (program, cli) => {
  program
    .command('delete <source>')
    .description('Run the deactivate hook and delete the source with its events')
    .option('--ignore-hook-errors', 'delete it even if the hook fails')
    .action(async (id: string, flags: { ignoreHookErrors?: boolean }, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('sources.delete', { id, ignore_hook_errors: flags.ignoreHookErrors === true });
        out.answer({ deleted: id }, () => `Deleted ${id}.`);
      });
    });
};
