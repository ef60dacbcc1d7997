import type { Result } from '../../protocol/catalogue.ts';
import type { Verb } from '../cli.ts';
import { asking, trustOptions, type TrustFlags } from '../trust.ts';
import { fields } from '../views/fields.ts';

export const add: Verb = (program, cli) => {
  trustOptions(
    program
      .command('add <reference...>')
      .description(
        'Fetch components of registries and lock them in weir.lock.json; deploys nothing',
      ),
  ).action(async (references: readonly string[], flags: TrustFlags, command) => {
    await cli.connected(command, async (tools) => {
      const { call, out } = asking(tools, flags);
      const added: Result<'components.add'>[] = [];
      for (const reference of references) added.push(await call('components.add', { reference }));
      out.answer(added, () =>
        added
          .map(({ key, version, type, path }) => fields({ key, version, type, file: path }))
          .join('\n\n'),
      );
    });
  });
};
