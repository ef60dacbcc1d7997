/** The query to the registries for a `uses` that is being typed, and the completions from their answer (pure). */
import type { Result } from '../../protocol/catalogue.ts';
import { plain } from '../registry/page-text.ts';
import type { Offered } from '../registry/search-text.ts';
import { usableName } from '../registry/usable-name.ts';
import type { Suggestion } from './format.ts';

export type UsesQuestion =
  | { readonly kind: 'search'; readonly query: string; readonly isPackage: boolean }
  /** `key@…`. */
  | { readonly kind: 'versions'; readonly key: string }
  /** `npm:package@…`. */
  | { readonly kind: 'releases'; readonly package: string }
  /** `npm:package@version#…`; `package` has the version, too. */
  | { readonly kind: 'keys'; readonly package: string };

/** @returns undefined for what is no component of a registry: a file, or a place that is not searched */
export function usesQuestion(word: string): UsesQuestion | undefined {
  if (/^(?:[./\\]|github:|git:|https?:)/i.test(word)) return undefined;
  const ofPackage = /^npm:(.*)$/.exec(word)?.[1];
  if (ofPackage === undefined) {
    const key = /^((?:@[\w-]+\/)?[\w-]+)@/.exec(word)?.[1];
    if (key !== undefined) return { kind: 'versions', key };
    return { kind: 'search', query: wordsOf(word), isPackage: false };
  }
  const [, named, hash] = /^((?:@[\w.~-]+\/)?[\w.~-]+(?:@[^#]*)?)(#)/.exec(ofPackage) ?? [];
  if (named !== undefined && hash !== undefined) return { kind: 'keys', package: named };
  const name = /^((?:@[\w.~-]+\/)?[\w.~-]+)@/.exec(ofPackage)?.[1];
  if (name !== undefined) return { kind: 'releases', package: name };
  return { kind: 'search', query: wordsOf(ofPackage), isPackage: true };
}

/** A search looks for words, and a key is made of them. */
function wordsOf(text: string): string {
  return text
    .split(/[-/@\s]+/)
    .filter((one) => one !== '')
    .join(' ');
}

type Shown = Result<'components.registry'>;

/** @param isPackage whether components are named by their packages */
export function ofSearch(found: readonly Offered[], isPackage: boolean): Suggestion[] {
  const usable = usableName(found);
  return found.flatMap((one) => {
    const { key, type } = one;
    if (type === 'source' || (isPackage && one.package === null)) return [];
    // A package that does not say what is in it is looked into behind the "#".
    if (key === null) return [{ ...factsOf(one), name: `${one.reference}#` }];
    const name = isPackage ? one.reference : usable(one);
    return name === undefined ? [] : [{ ...factsOf(one), name }];
  });
}

export function ofVersions(key: string, { versions, ...of }: Shown): Suggestion[] {
  return versions.map(({ version, published_at: at }) => ({
    name: `${key}@${version}`,
    about: at === null ? (of.name ?? '') : `published ${dateOf(at)}`,
  }));
}

/** Releases of the package that a component is in. */
export function ofReleases({ versions, ...of }: Shown): Suggestion[] {
  const releases = new Map<string, number | null>();
  for (const { package_version: version, published_at: at } of versions) {
    if (version !== null) releases.set(version, at);
  }
  return [...releases].map(([version, at]) => ({
    name: `npm:${of.package ?? ''}@${version}#${of.key ?? ''}`,
    about: at === null ? '' : `published ${dateOf(at)}`,
  }));
}

/** The components of a package with this one in it. */
export function ofPackage(named: string, shown: Shown): Suggestion[] {
  const own = shown.key === null ? [] : [{ ...factsOf(shown), name: `npm:${named}#${shown.key}` }];
  return [...own, ...shown.others.map((key) => ({ name: `npm:${named}#${key}` }))];
}

function factsOf(offered: Offered): Omit<Suggestion, 'name'> {
  const { name, description, license, registry, deprecated } = offered;
  const facts = [
    registry,
    license ?? 'no license',
    ...(deprecated === null ? [] : [`deprecated: ${deprecated}`]),
  ];
  return {
    about: name ?? registry,
    description: [description ?? '', facts.join(' · ')].map(plain).join('\n\n').trim(),
  };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
