/** Plans a connection: everything that can be found out, and refused, before a person continues. */
import { WeirError } from '../../../protocol/errors.ts';
import type { Accounts, Grant } from '../accounts.ts';
import type { GrantKind } from '../../store/configuration/accounts.ts';
import type { Apps } from '../apps/apps.ts';
import type {
  AppDefinition,
  CommandMethod,
  EditorMethod,
  OAuth1Method,
  OAuthMethod,
} from '../apps/schema.ts';
import type { OAuthClients } from './clients.ts';
import { type AllowedCommands, checkCommand, commandText } from './command.ts';
import { fieldsOf, filledText } from './fields.ts';
import { methodOf } from './methods.ts';
import { OAuth1Server } from './oauth1/server.ts';
import { type ClientKeys, OAuthServer } from './server.ts';

export interface ConnectRequest {
  readonly app: string;
  readonly grant?: GrantKind | undefined;
  /** An account that is there, which is connected again and keeps its id. */
  readonly account?: string | undefined;
  readonly name?: string | undefined;
  /** Where a new account is kept. */
  readonly kept?: 'user' | undefined;
  readonly client?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Another person may take over the account. */
  readonly takeOver?: boolean | undefined;
  /** The address that the browser ends at is pasted. */
  readonly isPasted?: boolean | undefined;
  /**
   * A redirect URI known to the app instead of one on this machine: the user pastes the address where the browser ends.
   */
  readonly redirectUri?: string | undefined;
  /** The command that a person has seen and allowed in this workspace. */
  readonly allowCommand?: readonly string[] | undefined;
  /** The content of an editor's session, which only the editor can request. */
  readonly editorSession?: EditorSession | undefined;
}

export interface EditorSession {
  readonly access_token: string;
  readonly account: { readonly id: string; readonly label: string };
}

interface CommonPlan {
  readonly request: ConnectRequest;
  readonly definition: AppDefinition;
  readonly fields: Readonly<Record<string, string>>;
  readonly scope: string;
}

export interface OAuthPlan extends CommonPlan {
  readonly kind: 'code' | 'device' | 'client_credentials';
  readonly method: OAuthMethod;
  readonly keys: ClientKeys;
  readonly server: OAuthServer;
}

export interface OAuth1Plan extends CommonPlan {
  readonly kind: 'oauth1';
  readonly method: OAuth1Method;
  readonly keys: ClientKeys;
  readonly server: OAuth1Server;
}

export interface CommandPlan extends CommonPlan {
  readonly kind: 'command';
  readonly method: CommandMethod;
  readonly keys: undefined;
}

export interface EditorPlan extends CommonPlan {
  readonly kind: 'editor';
  readonly method: EditorMethod;
  readonly keys: undefined;
  readonly session: EditorSession;
}

export type Plan = OAuthPlan | OAuth1Plan | CommandPlan | EditorPlan;

export interface PlanParts {
  readonly accounts: Accounts;
  readonly apps: Apps;
  readonly clients: OAuthClients;
  readonly allowedCommands: AllowedCommands;
}

/**
 * Resolves with what to connect by.
 * @throws WeirError `not_found` for an app, account or client, `bad_input` for fields, `conflict` for a command that
 * nobody has allowed
 */
export async function planOf(parts: PlanParts, request: ConnectRequest): Promise<Plan> {
  const { accounts, apps, clients } = parts;
  const { definition, from } = apps.get(request.app);
  const before = request.account === undefined ? undefined : accounts.get(request.account);
  if (before !== undefined && before.app !== definition.app)
    throw new WeirError('bad_input', `The account ${before.name} is one of ${before.app}.`);
  const kept = before && accounts.grant(before.id)?.grant;
  const chosen = methodOf(definition, request.grant ?? keptKind(definition, kept));
  if (chosen.kind === 'command') {
    checkCommand(chosen.method, from);
    await allow(parts.allowedCommands, definition, chosen.method, request.allowCommand);
    return { ...chosen, request, definition, fields: {}, scope: '', keys: undefined };
  }
  if (chosen.kind === 'editor') {
    const { editorSession: session } = request;
    if (session !== undefined)
      return { ...chosen, request, definition, fields: {}, scope: '', keys: undefined, session };
    throw new WeirError(
      'bad_input',
      `Only VS Code can hand over its session of ${definition.name}: connect the account there, with "Weir: Connect Account in the Browser…".`,
    );
  }
  const fields = await fieldsOf(chosen.method, { ...kept?.fields, ...request.fields });
  const keys = clients.keys(definition, chosen.method, request.client);
  const common = { request, definition, fields, keys };
  if (chosen.kind === 'oauth1') {
    const server = new OAuth1Server(chosen.method, fields, keys);
    return { ...chosen, ...common, scope: '', server };
  }
  const { method } = chosen;
  const { scope_separator: separator } = method;
  const scopes = request.scopes ?? kept?.scope.split(separator) ?? method.scopes;
  const server = new OAuthServer(method, fields, keys);
  return { ...chosen, ...common, scope: filledText(scopes.join(separator), fields), server };
}

/** An account is connected again as it was, where its app can still do so. */
function keptKind(
  { methods }: AppDefinition,
  kept: Pick<Grant, 'kind'> | undefined,
): GrantKind | undefined {
  const isThere = methods.some(({ type }) => type === kept?.kind);
  return isThere ? kept?.kind : undefined;
}

/** A program runs with all rights of its user: somebody has to have allowed this very command. */
async function allow(
  allowed: AllowedCommands,
  { app, name }: AppDefinition,
  { run }: CommandMethod,
  said: readonly string[] | undefined,
): Promise<void> {
  if (allowed.has(run)) return;
  if (said !== undefined && JSON.stringify(said) === JSON.stringify(run)) {
    await allowed.add(run);
    return;
  }
  throw new WeirError(
    'conflict',
    `To connect ${name}, Weir would run "${commandText(run)}" in your name, now and at each refresh: look at the definition ("weir apps ${app}"), and allow this command in this workspace if you trust it.`,
  );
}
