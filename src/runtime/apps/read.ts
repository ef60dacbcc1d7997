/** A definition from its text, or one sentence that says what to change (pure). */
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { type AppDefinition, appDefinition, type ClientMethod } from './schema.ts';

/**
 * @param origin what a message names, such as the path of the file
 * @param slug the file's name says which app it is of
 * @throws WeirError `bad_input` with one detail per mistake
 */
export function readDefinition(json: string, origin: string, slug?: string): AppDefinition {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new WeirError('bad_input', `${origin} is not JSON: ${messageOf(error)}.`);
  }
  const definition = checkDefinition(value, origin);
  if (slug !== undefined && definition.app !== slug) {
    throw new WeirError(
      'bad_input',
      `${origin} defines "${definition.app}": rename the file to ${definition.app}.json, or set app to "${slug}".`,
    );
  }
  return definition;
}

/** The same from a value. */
export function checkDefinition(value: unknown, origin: string): AppDefinition {
  const parsed = appDefinition.safeParse(value);
  if (!parsed.success) {
    const details = parsed.error.issues.map(({ path, message, code, ...issue }) => {
      const place = path.length === 0 ? 'the definition' : path.join('.');
      const unknown = code === 'unrecognized_keys' && 'keys' in issue ? String(issue.keys) : '';
      const sentence =
        unknown === ''
          ? `${place} ${message}`
          : `${place} has the unknown key ${unknown}; see schemas/app.schema.json`;
      return { message: `${origin}: ${sentence}.` };
    });
    throw new WeirError('bad_input', details.map(({ message }) => message).join(' '), details);
  }
  requireParts(parsed.data, origin);
  return parsed.data;
}

/** What one key needs of another. */
function requireParts({ methods }: AppDefinition, origin: string): void {
  const lacking = methods.flatMap((method, index) => {
    if (method.type !== 'oauth2' && method.type !== 'oauth1') return [];
    const known = new Set(method.fields.map(({ name }) => name));
    const missing = [
      ...addressesOfGrants(method),
      ...[...addressesOf(method), ...scopesOf(method)].flatMap((text) =>
        [...text.matchAll(/\{(\w+)\}/g)]
          .filter(([, name = '']) => !known.has(name))
          .map(([, name = '']) => `the field ${name}, which ${text} names`),
      ),
    ];
    return missing.map((what) => ({ message: `${origin}: methods.${index} lacks ${what}.` }));
  });
  if (lacking.length === 0) return;
  throw new WeirError('bad_input', lacking.map(({ message }) => message).join(' '), lacking);
}

function scopesOf(method: ClientMethod): readonly string[] {
  return method.type === 'oauth2' ? method.scopes : [];
}

/** Those that are missing. */
function addressesOfGrants(method: ClientMethod): string[] {
  if (method.type === 'oauth1') return [];
  const { grants, authorization_url: authorization, device_url: device } = method;
  return [
    ...(grants.includes('code') && authorization === undefined
      ? ['authorization_url, which the grant "code" needs']
      : []),
    ...(grants.includes('device') && device === undefined
      ? ['device_url, which the grant "device" needs']
      : []),
  ];
}

/** Every address that tokens or secrets are sent to. */
export function addressesOf(method: ClientMethod): Set<string> {
  if (method.type === 'oauth1') {
    const { request_token_url, authorization_url, access_token_url, identity } = method;
    const all = [request_token_url, authorization_url, access_token_url];
    return new Set(identity === undefined ? all : [...all, identity.url]);
  }
  const { authorization_url, token_url, refresh_url, device_url, revocation_url } = method;
  const own = [authorization_url, token_url, refresh_url, device_url, revocation_url];
  const all = [...own, method.identity?.url];
  return new Set(all.filter((address) => address !== undefined));
}
