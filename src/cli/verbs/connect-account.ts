/** `weir accounts connect`: a person continues in a browser, on any machine. */
import { createInterface } from 'node:readline';
import type { Connection, Params } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode } from '../cli.ts';
import { createPrompt } from '../prompt.ts';
import { readSecret } from '../read-secret.ts';
import { fields } from '../views/fields.ts';

export interface ConnectFlags {
  readonly name?: string;
  readonly user?: boolean;
  readonly device?: boolean;
  readonly clientCredentials?: boolean;
  readonly command?: boolean;
  readonly allowCommand?: boolean;
  readonly paste?: boolean;
  readonly redirectUri?: string;
  readonly token?: boolean;
  readonly client?: string;
  readonly scope?: readonly string[];
  readonly field?: readonly string[];
  readonly takeOver?: boolean;
}

/** @param account one that is there, to be connected again */
export async function connectAccount(
  tools: ConnectedTools,
  app: string,
  flags: ConnectFlags,
  account?: string,
): Promise<ExitCode> {
  const { call, out, interrupted } = tools;
  if (flags.token === true) return takeToken(tools, app, flags, account);
  const { isPasted, ...request } = await wayFromHere(tools, requestOf(app, flags, account), flags);
  const allowed = request.grant === 'command' ? await allowedCommand(tools, app, flags) : {};
  const way = { ...allowed, ...(isPasted && { pasted: true }) };
  const started = await call('accounts.connect', { ...request, ...way });
  const { session } = started;
  try {
    const ended = await follow(tools, started, isPasted);
    return await tell(tools, ended);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    out.note('Giving up the connection.');
    await call('accounts.cancelConnection', { session }, { signal: AbortSignal.timeout(2000) });
    throw error;
  }
}

/** A token that the user made at the app, instead of a connection. */
async function takeToken(
  tools: ConnectedTools,
  slug: string,
  flags: ConnectFlags,
  account: string | undefined,
): Promise<ExitCode> {
  const { name, user, field = [] } = flags;
  const { device, clientCredentials, command, paste, redirectUri } = flags;
  const others = [device, clientCredentials, command, paste, redirectUri !== undefined];
  if (others.some((flag) => flag === true))
    throw new UsageError('Give --token alone: nobody goes to a browser for it.');
  const app = await tools.call('apps.get', { slug });
  const token = app.key_forms[0]?.fields.find(({ secret }) => secret);
  if (token === undefined) {
    throw new WeirError(
      'bad_input',
      `No definition says which token ${app.name} takes: enter it under its name with "weir accounts add ${slug}".`,
    );
  }
  const { io, interrupted, call, out } = tools;
  const prompt = createPrompt(io, interrupted);
  if (token.description !== '') out.note(`${token.label}: ${token.description}`);
  const given = prompt.possible
    ? await prompt.ask(`${token.label} (not shown): `, true)
    : await readSecret(io.stdin);
  if (given.trim() === '') throw new WeirError('bad_input', `${token.label} is empty.`);
  const credentials = { ...Object.fromEntries(field.map(pair)), [token.name]: given.trim() };
  const kept =
    account === undefined
      ? await call('accounts.create', {
          app: slug,
          credentials,
          ...(name !== undefined && { name }),
          ...(user === true && { kept_for: 'user' }),
        })
      : await call('accounts.update', { id: account, credentials });
  out.answer(kept, () => fields({ id: kept.id, app: kept.app.name, name: kept.name }));
  return 0;
}

/**
 * Over SSH the browser runs elsewhere, and finds no way back to this machine: unless a flag says how, a code on a device
 * where the app has that grant, else the address that the browser ends at.
 */
async function wayFromHere(
  { call, io, out }: ConnectedTools,
  request: Params<'accounts.connect'>,
  { paste: pasteFlag = false, redirectUri }: ConnectFlags,
): Promise<Params<'accounts.connect'> & { readonly isPasted: boolean }> {
  const paste = pasteFlag || redirectUri !== undefined;
  const isElsewhere = [io.env['SSH_CONNECTION'], io.env['SSH_TTY']].some((set) => set);
  if (paste || request.grant !== undefined || !isElsewhere) return { ...request, isPasted: paste };
  const { grants } = await call('apps.get', { slug: request.app });
  const [first] = grants;
  // Others come without a browser, or are for the app to refuse.
  if (first !== 'code' && first !== 'oauth1') return { ...request, isPasted: false };
  const isDevice = grants.includes('device');
  out.note(
    isDevice
      ? 'You are connected over SSH: enter a code in your browser (--paste takes another way).'
      : 'You are connected over SSH, and the browser cannot come back here: paste the address that it ends at.',
  );
  return { ...request, ...(isDevice && { grant: 'device' }), isPasted: !isDevice };
}

function requestOf(
  app: string,
  flags: ConnectFlags,
  account: string | undefined,
): Params<'accounts.connect'> {
  const { name, user, client, scope, field = [], takeOver, paste, redirectUri } = flags;
  const [grant, ...more] = [
    ...(flags.device === true ? (['device'] as const) : []),
    ...(flags.clientCredentials === true ? (['client_credentials'] as const) : []),
    ...(flags.command === true ? (['command'] as const) : []),
  ];
  if (more.length > 0)
    throw new UsageError('Give one of --device, --client-credentials and --command.');
  if (grant !== undefined && (paste === true || redirectUri !== undefined)) {
    throw new UsageError(
      'Give --paste and --redirect-uri without --device, --client-credentials and --command: no browser comes back from those.',
    );
  }
  return {
    app,
    ...(account !== undefined && { account }),
    ...(grant !== undefined && { grant }),
    ...(name !== undefined && { name }),
    ...(user === true && { kept_for: 'user' }),
    ...(client !== undefined && { client }),
    ...(scope !== undefined && { scopes: [...scope] }),
    ...(field.length > 0 && { fields: Object.fromEntries(field.map(pair)) }),
    ...(takeOver === true && { take_over: true }),
    ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
  };
}

/** A program runs with everything that its user may do, so its user is asked first, once per workspace. */
async function allowedCommand(
  { call, io, interrupted }: ConnectedTools,
  slug: string,
  flags: ConnectFlags,
): Promise<Pick<Params<'accounts.connect'>, 'allow_command'>> {
  const { command, from, file, name } = await call('apps.get', { slug });
  if (command === null || command.allowed) return {};
  const { run } = command;
  if (flags.allowCommand === true) return { allow_command: run };
  const prompt = createPrompt(io, interrupted);
  const what = `To connect ${name}, its definition (${file ?? from}) runs ${JSON.stringify(run)} in your name, now and at each refresh`;
  if (!prompt.possible) {
    throw new UsageError(
      `${what}. There is no terminal to ask on: give --allow-command if you trust it.`,
    );
  }
  const said = await prompt.ask(`${what}.\nAllow it in this workspace? (y/N) `);
  if (!/^y(es)?$/i.test(said.trim())) throw new WeirError('cancelled', 'The command was not run.');
  return { allow_command: run };
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--field takes NAME=VALUE, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function follow(
  tools: ConnectedTools,
  connection: Connection,
  isPasted: boolean,
): Promise<Connection> {
  const { call, out } = tools;
  const { session, status, authorization_url: url, user_code: code } = connection;
  if (status !== 'waiting') return connection;
  if (url !== null) out.note(`Open this address in a browser:\n\n  ${url}\n`);
  if (code !== null)
    out.note(`Open ${connection.verification_uri} in a browser and enter the code ${code}`);
  if (isPasted && url !== null) {
    const pasted = await pastedAddress(tools);
    return call('accounts.finishConnection', { session, url: pasted });
  }
  out.note('Waiting for the browser; Ctrl-C gives up.');
  return call('accounts.connection', { session, wait: true });
}

async function pastedAddress({ io, interrupted }: ConnectedTools): Promise<string> {
  const question =
    'When the browser ends at a page that cannot be loaded, paste its whole address here: ';
  const prompt = createPrompt(io, interrupted);
  if (prompt.possible) return prompt.ask(question, true);
  const lines = createInterface({ input: io.stdin, signal: interrupted });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  throw new UsageError('--paste reads the address from the terminal or from stdin.');
}

async function tell({ call, out }: ConnectedTools, ended: Connection): Promise<ExitCode> {
  if (ended.account === null)
    throw new WeirError(
      ended.status === 'cancelled' ? 'cancelled' : 'bad_input',
      `Not connected: ${ended.error ?? 'it is not known why.'}`,
    );
  const account = await call('accounts.get', { id: ended.account });
  const { id, name, app, expires_at: expires } = account;
  out.answer(account, () => fields({ id, app: app.name, name, expires }));
  return 0;
}
