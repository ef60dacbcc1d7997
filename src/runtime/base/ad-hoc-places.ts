/**
 * Which places of components may be named ad hoc, although no registry is configured for them (P26.12). The server
 * fetches from there with its own network, its own files and its own user's keys, so that depends on the caller.
 */
import { WeirError } from '../../protocol/errors.ts';

/** `none`: what is configured only. `https`: also what anybody could fetch, over TLS. `all`: also files, SSH, plain HTTP. */
export type AdHocPlaces = 'none' | 'https' | 'all';

export interface AdHocPlace {
  readonly kind: 'npm' | 'git';
  /** Name of a package, or the URL or path of a repository. */
  readonly text: string;
}

/**
 * Refuses a place that no registry is configured for, unless the caller may name it.
 * @throws WeirError `forbidden`
 */
export function requireAdHoc({ kind, text }: AdHocPlace, allowed: AdHocPlaces): void {
  if (allowed === 'all') return;
  const shown = `"${text.replaceAll(/(\w+:\/\/)[^/\s@]*@/g, '$1').slice(0, 200)}"`;
  if (allowed === 'none') {
    throw new WeirError(
      'forbidden',
      `No registry is configured for ${shown}, and only a key with the scope "deploy" may name such a place. Add a registry, or use another key.`,
    );
  }
  if (kind === 'npm' || /^https:\/\//i.test(text)) return;
  throw new WeirError(
    'forbidden',
    `${shown} is not an https:// URL, and only the owner may have the server read its own files, use its SSH keys or plain HTTP. Add it as a registry, or use an https:// URL.`,
  );
}
