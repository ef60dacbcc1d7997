import { resolve } from 'node:path';
import type { Command } from 'commander';
import { accountHealth } from '../../protocol/account-health.ts';
import type { Account, App } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { KeyField, KeyForm } from '../../protocol/key-forms.ts';
import { collect, UsageError } from '../arguments.ts';
import type { ConnectedTools, Verb } from '../cli.ts';
import { createPrompt, type Prompt } from '../prompt.ts';
import { askSigningSecret } from '../signing-secret.ts';
import { fields, webhookFields } from '../views/fields.ts';
import { healthOf } from '../views/columns.ts';
import { connectAccount, type ConnectFlags } from './connect-account.ts';
import { listKind } from './list.ts';

interface ValueFlags {
  readonly name?: string;
  readonly field?: readonly string[];
}

interface AddFlags extends ValueFlags {
  readonly user?: boolean;
  readonly component?: string;
}

interface UpdateFlags extends ValueFlags {
  readonly removeField?: readonly string[];
  readonly user?: boolean;
  readonly signingSecret?: boolean;
}

const keepForUser = 'share the account with all your folders';

export const accounts: Verb = (program, cli) => {
  const group = program.command('accounts').description('Connected accounts');
  group
    .command('add <app>')
    .description('Connect an account with keys; Weir asks for missing values')
    .option('--name <name>', 'name of the account')
    .option('--user', keepForUser)
    .option('--field <k[=v]>', 'a credential, such as api_key; repeat for more', collect)
    .option('--component <file>', 'ask for the keys that this component of the app reads')
    .action(async (app: string, flags: AddFlags, command) => {
      await cli.connected(command, async (tools) => await add(tools, app, flags));
    });
  connectOptions(
    group
      .command('connect <app>')
      .description('Connect an account by OAuth, in a browser')
      .option('--user', keepForUser),
  ).action(async (app: string, flags: ConnectFlags, command) => {
    await cli.connected(command, async (tools) => await connectAccount(tools, app, flags));
  });
  connectOptions(
    group
      .command('reconnect <id>')
      .description('Connect an account again; it keeps its id and everything that uses it'),
  )
    .option('--take-over', 'allow another person to take over the account')
    .action(async (id: string, flags: ConnectFlags, command) => {
      await cli.connected(command, async (tools) => {
        const { app, ...account } = await tools.call('accounts.get', { id });
        return connectAccount(tools, app.id, flags, account.id);
      });
    });
  group
    .command('check <id>')
    .description('Refresh an account that is due, and ask its app whether the token is good')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const account = await call('accounts.check', { id });
        out.answer(account, () =>
          fields({
            id: account.id,
            state: healthOf(account),
            error: account.error,
            expires: account.expires_at,
          }),
        );
        return account.healthy ? 0 : 1;
      });
    });
  group
    .command('keep-fresh')
    .description(
      'Say that this data folder, which was copied, is the one that refreshes its accounts',
    )
    .action(async (_flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        await call('accounts.keepFresh', {});
        out.answer({ keeps_fresh: true }, () => 'This data folder refreshes its accounts.');
      });
    });
  group
    .command('show <id>')
    .description('Show the health of an account, and which sources and workflows use it')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const account = await call('accounts.get', { id, include_used_by: true });
        const users = account.used_by ?? [];
        out.answer(account, () =>
          fields({
            id: account.id,
            app: account.app.name,
            name: account.name,
            'kept for': keptFor(account),
            state: healthOf(account),
            why: accountHealth(account, Date.now())?.why,
            ...webhookFields(account.webhook),
            'used by':
              users.map(({ id: user, name }) => `${name} (${user})`).join(', ') || 'nothing',
          }),
        );
      });
    });
  group
    .command('list')
    .description('List connected accounts')
    .action(async (_flags: object, command) => {
      await cli.connected(command, async (tools) => await listKind(tools, 'accounts'));
    });
  group
    .command('update <id>')
    .description(
      'Rename an account, change its keys or share it with your folders; values that are left out are asked for',
    )
    .option('--name <name>', 'new name of the account')
    .option('--field <k[=v]>', 'write this credential; repeat for more', collect)
    .option('--remove-field <k>', 'remove this credential; repeat for more', collect)
    .option('--user', 'share the account with all your folders; you cannot undo this')
    .option(
      '--signing-secret',
      'enter the secret that the app signs its events with; Weir asks for it or reads stdin',
    )
    .action(async (id: string, flags: UpdateFlags, command) => {
      await cli.connected(command, async (tools) => await update(tools, id, flags));
    });
  group
    .command('delete <id>')
    .description('Delete an account')
    .action(async (id: string, _flags: object, command) => {
      await cli.connected(command, async ({ call, out }) => {
        const { note } = await call('accounts.delete', { id });
        out.answer({ deleted: id, ...(note !== undefined && { note }) }, () =>
          note === undefined ? `Deleted ${id}.` : `Deleted ${id}. ${note}`,
        );
      });
    });
};

function connectOptions(command: Command): Command {
  return command
    .option('--name <name>', 'name of the account')
    .option('--device', 'connect with a code that you enter in any browser (device grant)')
    .option('--client-credentials', 'connect as the app itself, without a person')
    .option('--command', "take the token that the command of the app's definition prints")
    .option('--allow-command', 'allow that command in this workspace without being asked')
    .option('--paste', 'paste the address that a browser on another machine ends at')
    .option(
      '--redirect-uri <url>',
      'an https address that the app knows, where it takes none of this machine; implies --paste',
    )
    .option('--token', 'use a token that you made at the app; Weir asks for it or reads stdin')
    .option('--client <id>', 'use this OAuth client, if the app has several')
    .option(
      '--scope <scope>',
      "request this scope instead of the definition's; repeat for more",
      collect,
    )
    .option('--field <k=v>', 'a field of the app, such as subdomain; repeat for more', collect);
}

async function add(tools: ConnectedTools, app: string, flags: AddFlags): Promise<void> {
  const known = await appOf(tools, app, flags.component);
  const isFree = known?.auth_type === 'none' && (flags.field ?? []).length === 0;
  if (isFree)
    tools.out.note(`The components of ${app} read no credentials and run without an account.`);
  const credentials = isFree
    ? {}
    : await credentialsFrom(tools, flags.field ?? [], known?.key_forms[0]);
  const account = await tools.call('accounts.create', {
    app,
    credentials,
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.user === true && { kept_for: 'user' }),
  });
  const { id, name } = account;
  tools.out.answer(account, () => fields({ id, app: account.app.name, name }));
}

async function update(
  tools: ConnectedTools,
  id: string,
  {
    name,
    field = [],
    removeField: removed = [],
    user = false,
    signingSecret: signs = false,
  }: UpdateFlags,
): Promise<void> {
  if (name === undefined && field.length === 0 && removed.length === 0 && !user && !signs) {
    throw new UsageError(
      'Nothing to change: give --name, --field, --remove-field, --user or --signing-secret.',
    );
  }
  const secret = signs ? await signingSecretOf(tools, id) : undefined;
  const credentials = {
    ...(field.length > 0 && (await credentialsFrom(tools, field))),
    ...Object.fromEntries(removed.map((key) => [key, null])),
  };
  const account = await tools.call('accounts.update', {
    id,
    ...(name !== undefined && { name }),
    ...(Object.keys(credentials).length > 0 && { credentials }),
    ...(user && { kept_for: 'user' }),
    ...(secret !== undefined && { signing_secret: secret }),
  });
  tools.out.answer(account, () =>
    fields({
      id: account.id,
      app: account.app.name,
      name: account.name,
      'kept for': keptFor(account),
      ...(signs && webhookFields(account.webhook)),
    }),
  );
}

function keptFor({ kept_for: kept }: Account): string | undefined {
  return kept === 'user' ? 'you: your folders share it' : undefined;
}

/** Undefined when nobody knows the app. @param component a file that uses it */
async function appOf(
  { call }: ConnectedTools,
  slug: string,
  component: string | undefined,
): Promise<App | undefined> {
  if (component !== undefined)
    await call('components.inspect', { component_path: resolve(component) });
  try {
    return await call('apps.get', { slug });
  } catch (error) {
    if (WeirError.is(error, 'not_found')) return undefined;
    throw error;
  }
}

async function signingSecretOf(tools: ConnectedTools, id: string): Promise<string> {
  const { webhook, app } = await tools.call('accounts.get', { id });
  if (webhook === undefined) {
    throw new WeirError(
      'bad_input',
      `No definition says how ${app.name} sends events, so there is no secret to enter; "weir apps ${app.id}" shows what is known.`,
    );
  }
  const secret = await askSigningSecret(tools, webhook);
  if (secret !== null) return secret;
  throw new WeirError('bad_input', 'The signing secret is empty.');
}

/** Typed values are neither shown nor printed. */
async function credentialsFrom(
  { io, interrupted }: ConnectedTools,
  given: readonly string[],
  form?: KeyForm,
): Promise<Record<string, string>> {
  const prompt = createPrompt(io, interrupted);
  const credentials = new Map<string, string>();
  for (const field of given) {
    const at = field.indexOf('=');
    const name = at === -1 ? field : field.slice(0, at);
    if (name === '') throw new UsageError(`--field takes NAME or NAME=VALUE, not "${field}".`);
    if (at === -1 && !prompt.possible)
      throw new UsageError(
        `--field ${name} needs a value, because there is no terminal to ask on.`,
      );
    credentials.set(name, at === -1 ? await prompt.ask(`${name}: `, true) : field.slice(at + 1));
  }
  if (given.length > 0) return Object.fromEntries(credentials);
  if (!prompt.possible) {
    const names = form === undefined ? '' : `: ${form.fields.map(nameOf).join(', ')}`;
    throw new WeirError('bad_input', `Give the credentials with --field NAME=VALUE${names}.`);
  }
  if (form !== undefined) return askKeys(prompt, form);
  for (;;) {
    const name = (await prompt.ask('Name of a field, such as api_key (empty to finish): ')).trim();
    if (name === '') return Object.fromEntries(credentials);
    credentials.set(name, await prompt.ask(`${name}: `, true));
  }
}

function nameOf({ name, optional }: KeyField): string {
  return optional ? `${name} (optional)` : name;
}

async function askKeys(
  prompt: Prompt,
  { fields: asked }: KeyForm,
): Promise<Record<string, string>> {
  const credentials: Record<string, string> = {};
  for (const { name, label, default: usual, optional, secret } of asked) {
    const hint = usual === '' ? (optional ? 'optional' : '') : usual;
    const question = `${label}${hint === '' ? '' : ` (${hint})`}: `;
    const value = (await prompt.ask(question, secret)) || usual;
    if (value !== '') credentials[name] = value;
    else if (!optional) throw new WeirError('bad_input', `${label} (${name}) is required.`);
  }
  return credentials;
}
