import { resolve } from 'node:path';
import type { Verb } from '../cli.ts';
import { asking, trustOptions, type TrustFlags } from '../trust.ts';
import { fields } from '../views/fields.ts';

interface EjectFlags extends TrustFlags {
  readonly into?: string;
}

export const eject: Verb = (program, cli) => {
  trustOptions(
    program
      .command('eject <component>')
      .description(
        'Make the files of a locked component your own: sources go over to them, and the lock forgets it',
      )
      .option('--into <folder>', 'write into this new folder; by default, one named after the key'),
  ).action(async (component: string, { into, ...trust }: EjectFlags, command) => {
    await cli.connected(command, async (tools) => {
      const { call, out, io } = asking(tools, trust);
      const ejected = await call('components.eject', {
        component,
        ...(into !== undefined && { into: resolve(io.cwd, into) }),
      });
      const { key, version, path, license, updated, remaining } = ejected;
      for (const { name } of remaining) {
        out.note(`${name} has the code from before until it is deployed again.`);
      }
      out.answer(ejected, () =>
        fields({
          key,
          version,
          file: path,
          license: license ?? 'none named',
          updated: updated.length === 0 ? null : updated.map(({ name }) => name).join(', '),
        }),
      );
    });
  });
};
