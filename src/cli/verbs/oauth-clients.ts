import { allPages } from '../../client/pages.ts';
import type { OAuthClient } from '../../protocol/catalogue.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { createPrompt } from '../prompt.ts';
import { readSecret } from '../read-secret.ts';
import { type Column, table } from '../render/table.ts';
import { fields } from '../views/fields.ts';

const columns: readonly Column<OAuthClient>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'APP', of: ({ app }) => app },
  { title: 'NAME', of: ({ name }) => name, shrinks: true },
  { title: 'CLIENT ID', of: ({ client_id }) => client_id, shrinks: true },
];

interface AddFlags {
  readonly id?: string;
  readonly name?: string;
  readonly public?: boolean;
}

export const oauthClients: Verb = (program, cli) => {
  const group = program
    .command('oauth-clients')
    .description('OAuth clients that you have registered with apps, kept for all folders');
  group
    .command('add <app>')
    .description(
      'Enter an OAuth client; Weir asks for its secret or reads stdin, and never shows it',
    )
    .option('--id <id>', 'id of the OAuth client; Weir asks for it if missing')
    .option('--name <name>', 'name of the OAuth client')
    .option('--public', 'the OAuth client has no secret')
    .action(async (app: string, flags: AddFlags, command) => {
      await cli.connected(command, async (tools) => await add(tools, app, flags));
    });
  group
    .command('list')
    .description('List the OAuth clients, without their secrets')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async ({ call, out, width }) => {
        const all = await allPages((page) => call('oauthClients.list', page));
        out.answer(all, () =>
          all.length === 0
            ? 'There are no OAuth clients yet; enter one with "weir oauth-clients add APP".'
            : table(columns, all, width),
        );
      });
    });
  group
    .command('remove <id>')
    .description('Forget an OAuth client; connect the accounts that use it again')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('oauthClients.delete', { id });
        out.answer({ deleted: id }, () => `Forgot ${id}.`);
      });
    });
};

async function add(tools: ConnectedTools, app: string, flags: AddFlags): Promise<void> {
  const { call, out, io, interrupted } = tools;
  const prompt = createPrompt(io, interrupted);
  const known = await call('apps.get', { slug: app });
  if (prompt.possible) {
    if (known.setup !== null) out.note(`Register a client at ${known.setup}`);
    if (known.redirect_uri !== null) out.note(`Its redirect URI: ${known.redirect_uri}`);
    if (known.note !== null) out.note(known.note);
  } else if (flags.id === undefined) {
    throw new UsageError('Give the client id with --id, because there is no terminal to ask on.');
  }
  const clientId = flags.id ?? (await prompt.ask('Client id: '));
  const secret =
    flags.public === true
      ? ''
      : prompt.possible
        ? await prompt.ask('Client secret: ', true)
        : await readSecret(io.stdin);
  const client = await call('oauthClients.create', {
    app,
    client_id: clientId,
    client_secret: secret.trim(),
    ...(flags.name !== undefined && { name: flags.name }),
  });
  out.answer(client, () =>
    fields({ id: client.id, app: client.app, name: client.name, client: client.client_id }),
  );
}
