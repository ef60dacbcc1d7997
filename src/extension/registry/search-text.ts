/** The search text for components, and how a hit is shown (pure). */
import type { Params, Result } from '../../protocol/catalogue.ts';

export type Offered = Result<'components.search'>['components'][number];

/** `@source`, `@action`, `@app:slack` and `@registry:acme` among the words, as in the Extensions view. */
export function searchOf(text: string): Params<'components.search'> {
  const words: string[] = [];
  const search: {
    -readonly [K in keyof Params<'components.search'>]: Params<'components.search'>[K];
  } = {};
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const [, name, value] = /^@(source|action|app|registry)(?::(.+))?$/i.exec(word) ?? [];
    const filter = name?.toLowerCase();
    if (filter === 'source' || filter === 'action') search.type = filter;
    else if (filter === 'app' && value !== undefined) search.app = value;
    else if (filter === 'registry' && value !== undefined) search.registry = value;
    else words.push(word);
  }
  if (words.length > 0) search.query = words.join(' ');
  return search;
}

export interface Row {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** @param now epoch milliseconds */
export function rowOf(offered: Offered, now: number): Row {
  const { type, name, key, version, registry, publisher, published_at: published } = offered;
  const facts = [
    registry,
    ...(publisher === offered.place || publisher === registry ? [] : [publisher]),
    ...(published === null ? [] : [ageText(now - published)]),
    offered.license ?? 'no license',
    ...(offered.deprecated === null ? [] : [`deprecated: ${offered.deprecated}`]),
  ];
  return {
    label: `$(${iconOf(offered)}) ${name ?? key ?? offered.package ?? offered.reference}`,
    description: [type, key ?? offered.package, version ?? offered.package_version]
      .filter((one) => one !== null)
      .join(' · '),
    detail: facts.join(' · '),
  };
}

function iconOf({ type, deprecated }: Offered): string {
  if (deprecated !== null) return 'warning';
  if (type === null) return 'package';
  return type === 'action' ? 'zap' : 'radio-tower';
}

const dayMs = 86_400_000;

/** `3 months ago` */
export function ageText(ms: number): string {
  const days = Math.floor(ms / dayMs);
  if (days < 1) return 'today';
  const [count, unit] =
    days < 31
      ? [days, 'day']
      : days < 365
        ? [Math.floor(days / 30.4), 'month']
        : [Math.floor(days / 365), 'year'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
