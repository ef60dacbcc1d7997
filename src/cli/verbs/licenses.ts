import type { Result } from '../../protocol/catalogue.ts';
import type { Verb } from '../cli.ts';
import { type Column, table } from '../render/table.ts';

type Licensed = Result<'components.licenses'>['data'][number];

const columns: readonly Column<Licensed>[] = [
  { title: 'component', of: ({ key, version }) => `${key}@${version}` },
  { title: 'license', of: ({ license }) => license ?? 'none named' },
  { title: 'note', of: ({ note }) => note ?? '', shrinks: true },
];

export const licenses: Verb = (program, cli) => {
  program
    .command('licenses')
    .alias('licences')
    .description('Show the licenses of the components of others that this workspace uses')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const { data } = await call('components.licenses', {});
        out.answer(data, () =>
          data.length === 0 ? 'weir.lock.json has no components.' : table(columns, data, width),
        );
      });
    });
};
