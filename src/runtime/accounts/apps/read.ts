/** A definition from its text, or one sentence that says what to change (pure). */
import { companionEnding } from '../../../protocol/app-files.ts';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { hostIn } from './address-host.ts';
import { type AppDefinition, appDefinition, type ClientMethod, isSafeAddress } from './schema.ts';

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
    const ending = origin.endsWith(companionEnding) ? companionEnding : '.json';
    throw new WeirError(
      'bad_input',
      `${origin} defines "${definition.app}": rename the file to ${definition.app}${ending}, or set app to "${slug}".`,
    );
  }
  return definition;
}

/** Methods that a definition in a package must not have, because somebody else wrote it. */
const notPackaged: Partial<Record<AppDefinition['methods'][number]['type'], string>> = {
  command: 'runs no program',
  editor: 'takes no session of the editor',
};

/**
 * A definition that comes with a package. It runs no command (clause 30), uses no editor session that the user has with
 * another app, and names no plain-text address.
 * @throws WeirError as `readDefinition`
 */
export function readPackaged(json: string, origin: string, slug: string): AppDefinition {
  const definition = readDefinition(json, origin, slug);
  const { methods, setup, sources } = definition;
  const addresses = setup === undefined ? sources : [setup, ...sources];
  const problems = [
    ...methods.flatMap(({ type }, index) => {
      const no = notPackaged[type];
      return no === undefined
        ? []
        : `${origin}: methods.${index} has the type "${type}", and a definition that comes with a package ${no}: take the method out; who needs it writes weir/apps/${slug}.json.`;
    }),
    ...addresses
      .filter((address) => !isSafeAddress(address))
      .map((address) => `${origin} names ${address}: make it an https address, or take it out.`),
  ];
  if (problems.length === 0) return definition;
  const details = problems.map((message) => ({ message }));
  throw new WeirError('bad_input', problems.join(' '), details);
}

/** The same check for a value. */
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

/** Requirements between keys. */
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

/** The addresses that are missing. */
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

/**
 * The hosts that a definition has people sign in at, and sends tokens and secrets to; `*` stands for what they fill in. In the
 * order of the alphabet.
 */
export function hostsOf({ methods, check }: AppDefinition): string[] {
  const addresses = methods.flatMap((method) =>
    method.type === 'oauth2' || method.type === 'oauth1' ? [...addressesOf(method)] : [],
  );
  if (check !== undefined) addresses.push(check.url);
  const signed = methods.flatMap((method) => (method.type === 'oauth1' ? method.hosts : []));
  const hosts = addresses.map((address) => hostIn(address));
  return [...new Set([...hosts, ...signed])].sort();
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
