/** The state of a locked component compared with its registry, above the text that names it (pure; P27.10). */
import type { Result } from '../../protocol/catalogue.ts';
import { parseReference } from '../../protocol/reference.ts';

export type VersionStatus = Result<'components.outdated'>['data'][number];

/** A `uses:` of a workflow. */
export interface UsesInText {
  /** From 0, as are the columns. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly uses: string;
}

/** A quick scan of a text that may be half written. Files and the platform's own (`./…`, `$.…`) are left out. */
export function usesInText(text: string): UsesInText[] {
  return text.split('\n').flatMap((written, line) => {
    const [, before = '', uses] = /^(\s*(?:-\s+)?uses:\s*["']?)([@\w][^\s"']*)/.exec(written) ?? [];
    if (uses === undefined) return [];
    return [{ line, start: before.length, end: before.length + uses.length, uses }];
  });
}

/** The status of the component that a `uses:` names; undefined if it is not locked. */
export function findVersionStatus(
  standings: readonly VersionStatus[],
  uses: string,
): VersionStatus | undefined {
  const reference = parseReference(uses);
  if ('wrong' in reference) return undefined;
  if (reference.kind === 'key') {
    return standings.find(
      ({ key, current }) => key === reference.key && isOf(current, reference.version),
    );
  }
  if (reference.kind !== 'npm') return undefined;
  return standings.find(
    ({ key, package: of, package_version: version }) =>
      of === reference.package &&
      (reference.key === undefined || key === reference.key) &&
      isOf(version ?? '', reference.version),
  );
}

/** The locked version is the newest of a range. */
function isOf(version: string, wanted: string | undefined): boolean {
  if (wanted === undefined || !/^\d/.test(wanted)) return true;
  return version === wanted || version.startsWith(`${wanted}.`);
}

const longestReason = 60;

/** @returns undefined where there is nothing to say */
export function formatVersionStatus(standing: VersionStatus): string | undefined {
  const { current, deprecated, newer, unpublished } = standing;
  const said = [
    ...(newer === null ? [] : [`$(arrow-circle-up) ${newer.version} available (${current})`]),
    ...(unpublished ? [`$(warning) ${current} was unpublished`] : []),
    ...(deprecated === null ? [] : [`$(warning) ${current} is deprecated: ${short(deprecated)}`]),
  ];
  return said.length === 0 ? undefined : said.join(' · ');
}

/** In one line, without what a lens would show as an icon. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('$(', '(').trim();
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line;
}

/** The new text of a `uses:`, in its current form. */
export function newerUses(uses: string, newer: NonNullable<VersionStatus['newer']>): string {
  return uses.startsWith('npm:') || newer.key === null
    ? newer.reference
    : `${newer.key}@${newer.version ?? ''}`;
}
