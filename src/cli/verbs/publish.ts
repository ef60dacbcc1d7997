import { resolve } from 'node:path';
import type { Verb } from '../cli.ts';
import { fields } from '../views/fields.ts';

export const publish: Verb = (program, cli) => {
  program
    .command('publish <file>')
    .description('Save a source or action under its key in this data folder')
    .action(async (file: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, io, out }) => {
        const made = await call('components.publish', { component_path: resolve(io.cwd, file) });
        const { id, name, version, key } = made;
        out.answer(made, () => fields({ id, name, version, key }));
      });
    });
};

export const unpublish: Verb = (program, cli) => {
  program
    .command('unpublish')
    .description('Remove what was published')
    .command('component <key>')
    .description('Remove a published component; what was deployed from it stays')
    .action(async (key: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('components.unpublish', { id: key });
        out.answer({ unpublished: key }, () => `Unpublished ${key}.`);
      });
    });
};
