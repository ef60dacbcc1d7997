/** Locked components beside what their registries have, as a person reads them. */
import type { Result } from '../../protocol/catalogue.ts';
import { type Column, table } from '../render/table.ts';

type Standing = Result<'components.outdated'>['data'][number];

const columns: readonly Column<Standing>[] = [
  { title: 'key', of: ({ key }) => key },
  { title: 'current', of: ({ current }) => current },
  { title: 'newest', of: ({ newest, problem }) => (problem === null ? newest : '?') },
  {
    title: 'used by',
    of: ({ used_by: by }) => by.map(({ name }) => name).join(', '),
    shrinks: true,
  },
  { title: 'note', of: noteOf, shrinks: true },
];

/** @param isAll whether those without anything to say are listed, too */
export function outdatedTable(
  standings: readonly Standing[],
  isAll: boolean,
  width: number | undefined,
): string {
  const shown = isAll
    ? standings
    : standings.filter((one) => one.is_outdated || noteOf(one) !== '');
  if (standings.length === 0) return 'weir.lock.json has no components.';
  return shown.length === 0 ? 'Everything is up to date.' : table(columns, shown, width);
}

function noteOf({ unpublished, deprecated, problem }: Standing): string {
  if (problem !== null) return `cannot tell: ${problem}`;
  if (unpublished) return 'UNPUBLISHED';
  return deprecated === null ? '' : `DEPRECATED ${deprecated}`;
}

/** The changes that an update would make. */
export function comparisonText(comparison: Result<'components.compare'>): string {
  const { key, from, to, is_same: isSame, changes, code, used_by: by } = comparison;
  const named = (version: string | null, of: string | null, ofVersion: string | null): string =>
    of === null ? (version ?? '') : `${version ?? ''} (${of} ${ofVersion ?? ''})`;
  const heading = `${key} ${named(from.version, from.package, from.package_version)}`;
  if (isSame) return `${heading} is locked already.`;
  return [
    `${heading} → ${named(to.version, to.package, to.package_version)}`,
    ...(changes ?? ['What is locked is not here and not in its registry: it cannot be compared.'])
      .map((one) => (typeof one === 'string' ? one : one.message))
      .map((line) => `  ${line}`),
    ...(changes?.length === 0
      ? ['  The same publisher, license, dependencies, apps, hosts and props.']
      : []),
    `  ${codeText(code.before, code.after)}`,
    ...(by.length === 0 ? [] : [`  For ${by.map(({ name }) => name).join(', ')}.`]),
  ].join('\n');
}

/** Lines in both texts are counted once each, wherever they are. */
function codeText(before: string | null, after: string): string {
  if (before === null) return 'Its code is in "weir info --code".';
  if (before === after) return 'The file of the component is the same.';
  const lines = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  const count = (of: string[], without: string[]): number => {
    const left = new Map<string, number>();
    for (const line of without) left.set(line, (left.get(line) ?? 0) + 1);
    return of.filter((line) => {
      const there = left.get(line) ?? 0;
      left.set(line, there - 1);
      return there <= 0;
    }).length;
  };
  const [old, now] = [lines(before), lines(after)];
  return `Code: ${count(now, old)} lines added, ${count(old, now)} removed (weir info REFERENCE --code shows it).`;
}
