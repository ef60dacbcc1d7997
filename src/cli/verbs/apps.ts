import { allPages } from '../../client/pages.ts';
import type { App } from '../../protocol/catalogue.ts';
import type { Verb } from '../cli.ts';
import { type Column, table } from '../render/table.ts';
import { fields } from '../views/fields.ts';

const columns: readonly Column<App>[] = [
  { title: 'APP', of: ({ name_slug }) => name_slug },
  { title: 'NAME', of: ({ name }) => name, shrinks: true },
  { title: 'CONNECTS BY', of: howOf },
  { title: 'DEFINED', of: ({ from, unverified }) => (unverified ? `${from}, unverified` : from) },
];

export const apps: Verb = (program, cli) => {
  program
    .command('apps [slug]')
    .description('List the apps that are known, or show how one of them connects')
    .action(async (slug: string | undefined, _flags: object, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        if (slug === undefined) {
          const all = await allPages((page) => call('apps.list', page));
          out.answer(all, () => table(columns, all, width));
          return;
        }
        const app = await call('apps.get', { slug });
        out.answer(app, () => whole(app));
      });
    });
};

function howOf({ auth_type, grants }: App): string {
  return auth_type === 'keys' ? 'keys' : grants.join(', ').replaceAll('_', ' ');
}

function whole(app: App): string {
  const asked = JSON.parse(app.custom_fields_json) as readonly { readonly name: string }[];
  return fields({
    app: app.name_slug,
    name: app.name,
    connects: howOf(app),
    scopes: app.scopes.length === 0 ? null : app.scopes.join(' '),
    fields: asked.length === 0 ? null : asked.map(({ name }) => name).join(', '),
    register: app.setup,
    redirect: app.redirect_uri,
    note: app.note,
    defined: app.from,
    verified: app.unverified ? 'no' : 'yes',
    source: app.sources.join(' '),
  });
}
