/** `weir accounts connect`: a person goes on in a browser, wherever that runs. */
import { createInterface } from 'node:readline';
import type { Connection, Params } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode } from '../cli.ts';
import { createPrompt } from '../prompt.ts';
import { fields } from '../views/fields.ts';

export interface ConnectFlags {
  readonly name?: string;
  readonly device?: boolean;
  readonly clientCredentials?: boolean;
  readonly paste?: boolean;
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
  const started = await call('accounts.connect', requestOf(app, flags, account));
  const { session } = started;
  try {
    const ended = await follow(tools, started, flags.paste === true);
    return await tell(tools, ended);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    out.note('Giving up the connection.');
    await call('accounts.cancelConnection', { session }, { signal: AbortSignal.timeout(2000) });
    throw error;
  }
}

function requestOf(
  app: string,
  flags: ConnectFlags,
  account: string | undefined,
): Params<'accounts.connect'> {
  const { name, client, scope, field = [], takeOver } = flags;
  if (flags.device === true && flags.clientCredentials === true)
    throw new UsageError('Give one of --device and --client-credentials.');
  const grant =
    flags.device === true
      ? 'device'
      : flags.clientCredentials === true
        ? 'client_credentials'
        : undefined;
  return {
    app,
    ...(account !== undefined && { account }),
    ...(grant !== undefined && { grant }),
    ...(name !== undefined && { name }),
    ...(client !== undefined && { client }),
    ...(scope !== undefined && { scopes: [...scope] }),
    ...(field.length > 0 && { fields: Object.fromEntries(field.map(pair)) }),
    ...(takeOver === true && { take_over: true }),
  };
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
