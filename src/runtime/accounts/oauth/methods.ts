/** Which method of a definition connects an account in the way that was asked for (pure). */
import { WeirError } from '../../../protocol/errors.ts';
import type {
  AppDefinition,
  ClientMethod,
  CommandMethod,
  ConnectMethod,
  EditorMethod,
  OAuth1Method,
  OAuthMethod,
} from '../apps/schema.ts';
import type { GrantKind } from '../../store/configuration/accounts.ts';

/** A method with the kind of grant that it makes. */
export type ChosenMethod =
  | { readonly kind: 'code' | 'device' | 'client_credentials'; readonly method: OAuthMethod }
  | { readonly kind: 'oauth1'; readonly method: OAuth1Method }
  | { readonly kind: 'command'; readonly method: CommandMethod }
  | { readonly kind: 'editor'; readonly method: EditorMethod };

/** Every way to connect, in the order of the definition. */
export function waysOf({ methods }: Pick<AppDefinition, 'methods'>): ChosenMethod[] {
  return methods.flatMap((method): ChosenMethod[] => {
    if (method.type === 'oauth2') return method.grants.map((kind) => ({ kind, method }));
    if (method.type === 'oauth1') return [{ kind: 'oauth1', method }];
    if (method.type === 'editor') return [{ kind: 'editor', method }];
    return method.type === 'command' ? [{ kind: 'command', method }] : [];
  });
}

/**
 * @param kind the first one of the definition when left out
 * @throws WeirError `bad_input` when the app cannot be connected in this way
 */
export function methodOf(definition: AppDefinition, kind?: GrantKind): ChosenMethod {
  const found = waysOf(definition).find((way) => kind === undefined || way.kind === kind);
  if (found !== undefined) return found;
  const how = kind === undefined ? 'OAuth' : (words[kind] ?? `the grant "${kind}"`);
  throw new WeirError(
    'bad_input',
    `${definition.name} does not connect by ${how}; add its keys with "weir accounts add ${definition.app}".`,
  );
}

const words: Partial<Record<GrantKind, string>> = {
  oauth1: 'OAuth 1.0a',
  command: 'the output of a command',
  editor: 'a session of VS Code',
};

/** The method that a client is registered for. @throws WeirError `bad_input` if there is none */
export function clientMethodOf(definition: AppDefinition): ClientMethod {
  const found = definition.methods.find(isClientMethod);
  if (found !== undefined) return found;
  throw new WeirError('bad_input', `${definition.name} does not connect by an OAuth client.`);
}

export function isClientMethod(method: AppDefinition['methods'][number]): method is ClientMethod {
  return method.type === 'oauth2' || method.type === 'oauth1';
}

/** The request that finds out whose token it is: of the method itself, otherwise of another one in its definition. */
export function identityRuleOf(
  { methods }: AppDefinition,
  method: ConnectMethod,
): OAuthMethod['identity'] {
  if (isClientMethod(method)) return method.identity;
  return methods.filter(isClientMethod).find(({ identity }) => identity !== undefined)?.identity;
}
