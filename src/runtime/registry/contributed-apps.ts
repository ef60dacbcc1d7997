/** The definitions of apps in components of others (pure; P27.14). */
import { join } from 'node:path';
import type { Cached } from './cache.ts';
import type { Defined } from './defined.ts';
import type { ManifestFacts } from './manifest-facts.ts';
import { isNewer } from './versions.ts';

export interface ContributedApp {
  /** Absolute path of the definition. */
  readonly path: string;
  /** The package that the definition came with. */
  readonly package: string;
}

interface One {
  readonly facts: ManifestFacts;
  readonly defined: Defined;
  readonly path: string;
}

/**
 * If several versions of a package are here, the definitions of the newest count: an update keeps the previous version
 * as long as something runs it.
 */
export function listContributedApps(
  components: readonly Pick<Cached, 'facts' | 'root'>[],
): ContributedApp[] {
  const all = components.flatMap(({ facts, root }) =>
    facts.defines.map((defined) => ({
      facts,
      defined,
      path: join(root, ...defined.file.split('/')),
    })),
  );
  const newest = all.filter((one) => !all.some((other) => isLater(other, one)));
  const byPath = new Map(newest.map(({ path, facts }) => [path, sourceText(facts)]));
  return [...byPath].map(([path, source]) => ({ path, package: source }));
}

/** If the order cannot be determined, both stay. */
function isLater({ facts: one, ...other }: One, { facts: than, defined }: One): boolean {
  if (one.registry !== than.registry || one.package !== than.package) return false;
  if (one.package !== undefined) {
    return other.defined.app === defined.app && isNewer(one.version, than.version);
  }
  if (other.defined.file !== defined.file) return false;
  return one.publishedAt !== undefined && than.publishedAt !== undefined
    ? one.publishedAt > than.publishedAt
    : one.key === than.key && isNewer(one.componentVersion, than.componentVersion);
}

function sourceText({ source, registry, package: name, version }: ManifestFacts): string {
  if (name !== undefined) return `npm:${name}@${version}`;
  return source === 'git' ? `${registry}#${version.slice(0, 12)}` : registry;
}
