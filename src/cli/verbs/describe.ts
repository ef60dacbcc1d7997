import type { Source } from '../../protocol/catalogue.ts';
import type { Verb } from '../cli.ts';
import { fields } from '../views/fields.ts';
import { when } from '../views/when.ts';

export const describe: Verb = (program, cli) => {
  program
    .command('describe <source>')
    .description('Show one source')
    .option('--code', 'print its code')
    .action(async (id: string, flags: { code?: boolean }, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const code = flags.code === true;
        const source = await call('sources.get', { id, ...(code ? { include_code: true } : {}) });
        out.answer(source, () => (code ? (source.code ?? '') : sourceText(source)));
      });
    });
};

function sourceText(source: Source): string {
  const last = source.last_invocation;
  return fields({
    id: source.id,
    name: source.name,
    slug: source.name_slug,
    active: source.active,
    endpoint: source.endpoint_url,
    'next tick': source.next_tick_at === null ? null : when(source.next_tick_at),
    'last run': last === null ? null : `${when(last.created_at)} ${last.status}`,
    component: source.component_id,
    key: source.component_key,
    file: source.path,
    dedupe: source.dedupe,
    props: source.configured_props,
    created: when(source.created_at * 1000),
    updated: when(source.updated_at * 1000),
  });
}
