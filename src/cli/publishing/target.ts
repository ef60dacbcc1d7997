/** Which registry is published to. */
import { WeirError } from '../../protocol/errors.ts';

export interface Target {
  /** Without one the registry that the user's npm has for the package. */
  readonly url: string | undefined;
}

/**
 * @param to URL, or `npm`
 * @throws WeirError `bad_input`
 */
export function targetOf(to: string): Target {
  if (to === 'npm') return { url: undefined };
  if (!/^https?:\/\//i.test(to) || !URL.canParse(to) || /[\s"'`$&|<>^%;]/.test(to)) {
    throw new WeirError(
      'bad_input',
      `"${to.slice(0, 200)}" is not a npm registry: give "npm" for the one that your npm has, or a URL.`,
    );
  }
  const { href, username, password } = new URL(to);
  if (username !== '' || password !== '') {
    throw new WeirError(
      'bad_input',
      'The URL of the registry has a login in it; leave that to npm: "npm login --registry=URL".',
    );
  }
  return { url: href.endsWith('/') ? href : `${href}/` };
}

/** Options that name the registry to npm. npm asks the registry of a scope before any other, so both are set. */
export function registryFlags({ url }: Target, scope: string | undefined): string[] {
  if (url === undefined) return [];
  return [`--registry=${url}`, ...(scope === undefined ? [] : [`--${scope}:registry=${url}`])];
}

export function scopeOf(packageName: string): string | undefined {
  return /^@[^/]+(?=\/)/.exec(packageName)?.[0];
}
