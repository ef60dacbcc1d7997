import { allPages } from '../../client/pages.ts';
import type { App } from '../../protocol/catalogue.ts';
import type { Verb } from '../cli.ts';
import { type Column, table } from '../render/table.ts';
import { fields } from '../views/fields.ts';

const columns: readonly Column<App>[] = [
  { title: 'APP', of: ({ name_slug }) => name_slug },
  { title: 'NAME', of: ({ name }) => name, shrinks: true },
  { title: 'CONNECTS BY', of: howOf },
  {
    title: 'DEFINED',
    of: ({ from, unverified }) =>
      unverified && from !== 'components' ? `${from}, unverified` : from,
  },
];

interface ListFlags {
  readonly search?: string;
  readonly used?: boolean;
}

export const apps: Verb = (program, cli) => {
  program
    .command('apps [slug]')
    .description('List the known apps, or show how one connects')
    .option('--search <text>', 'only apps whose name or slug contains this text')
    .option('--used', 'only apps that your components use')
    .action(async (slug: string | undefined, flags: ListFlags, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        if (slug === undefined) {
          const wanted = {
            ...(flags.search !== undefined && { q: flags.search }),
            ...(flags.used === true && { has_components: true }),
          };
          const all = await allPages((page) => call('apps.list', { ...page, ...wanted }));
          out.answer(all, () => table(columns, all, width));
          return;
        }
        const app = await call('apps.get', { slug });
        out.answer(app, () => whole(app));
      });
    });
};

function howOf({ auth_type: type, grants }: App): string {
  if (type === 'none') return 'needs no account';
  return grants.length === 0 ? 'keys' : grants.join(', ').replaceAll('_', ' ');
}

function whole(app: App): string {
  const asked = JSON.parse(app.custom_fields_json) as readonly { readonly name: string }[];
  return fields({
    app: app.name_slug,
    name: app.name,
    connects: howOf(app),
    command: app.command === null ? null : JSON.stringify(app.command.run),
    scopes: app.scopes.length === 0 ? null : app.scopes.join(' '),
    fields:
      asked.length === 0 || app.auth_type === 'keys'
        ? null
        : asked.map(({ name }) => name).join(', '),
    keys: app.key_forms[0]?.fields.map(({ name }) => name).join(', ') ?? null,
    register: app.setup,
    redirect: app.redirect_uri,
    note: app.note,
    'sends events': app.webhook?.register,
    'signed with': app.webhook?.secret_name,
    defined: app.package === null ? app.from : `${app.from}, ${app.package}`,
    file: app.file,
    verified: app.from === 'components' ? null : app.unverified ? 'no' : 'yes',
    source: app.sources.join(' ') || null,
  });
}
