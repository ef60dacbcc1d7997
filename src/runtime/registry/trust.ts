/** Whether somebody has to be asked before a component is run, and why (pure; P27.6, P27.7). */
import { createHash } from 'node:crypto';
import { own } from '../../protocol/own.ts';
import { hostsText } from './defined.ts';
import type { ManifestFacts } from './manifest-facts.ts';

/** A user's consent, per registry and publisher. */
export interface Trusted {
  readonly registry: string;
  readonly publisher: string;
  /** By npm package, else by key. */
  readonly subjects: Readonly<Record<string, TrustedSubject>>;
}

export interface TrustedSubject {
  readonly license: string | null;
  readonly provenance: boolean;
  readonly dependencies: readonly string[];
  readonly installScripts: readonly string[];
  readonly apps: readonly string[];
  readonly hosts: readonly string[];
  /** Digests of the definitions of apps, by slug. */
  readonly defines: Readonly<Record<string, string>>;
  /** Versions that were younger than the minimum age, and taken all the same. */
  readonly youngVersions: readonly string[];
}

const dayMs = 24 * 3600_000;

/**
 * A registry says when a package was published; in a repository that is what its author wrote, and no
 * reason to wait.
 */
export function isTooNew(
  { source, publishedAt }: Pick<ManifestFacts, 'source' | 'publishedAt'>,
  minimumAgeDays: number,
  now: number,
): boolean {
  return (
    source === 'npm' && publishedAt !== undefined && now - publishedAt < minimumAgeDays * dayMs
  );
}

/** Why somebody has to be asked, a sentence each; none when the answer is known. */
export function reasonsToAsk(
  trusted: readonly Trusted[],
  facts: ManifestFacts,
  minimumAgeDays: number,
  now: number,
): string[] {
  const known = trusted.find(
    ({ registry, publisher }) => registry === facts.registry && publisher === facts.publisher,
  );
  const subject =
    known !== undefined && Object.hasOwn(known.subjects, facts.subject)
      ? known.subjects[facts.subject]
      : undefined;
  const reasons =
    known === undefined
      ? [`Nothing of ${facts.publisher} in ${facts.registry} has been allowed here yet.`]
      : subject === undefined
        ? redefinedBeside(Object.values(known.subjects), facts)
        : changes(subject, facts);
  const isTaken = subject?.youngVersions.includes(facts.version) === true;
  if (isTooNew(facts, minimumAgeDays, now) && !isTaken) {
    reasons.push(
      `Version ${facts.version} is younger than ${minimumAgeDays} ${minimumAgeDays === 1 ? 'day' : 'days'}.`,
    );
  }
  return reasons;
}

function changes(before: TrustedSubject, facts: ManifestFacts): string[] {
  const added = (what: string, old: readonly string[], present: readonly string[]): string[] => {
    const more = present.filter((one) => !old.includes(one));
    return more.length === 0 ? [] : [`It has ${what} that it did not have: ${more.join(', ')}.`];
  };
  const license = facts.license ?? null;
  return [
    ...added('dependencies', before.dependencies, Object.keys(facts.dependencies)),
    ...added('hosts', before.hosts, facts.hosts),
    ...added('apps', before.apps, facts.apps),
    ...redefined(before, facts),
    ...added('install scripts (which never run)', before.installScripts, facts.installScripts),
    ...(license === before.license
      ? []
      : [`Its license was ${before.license ?? 'none'}, and is ${license ?? 'none'}.`]),
    ...(before.provenance && !facts.provenance
      ? ['Its registry kept a statement of its build before, and keeps none of this version.']
      : []),
  ];
}

function redefined(before: TrustedSubject, { defines }: ManifestFacts): string[] {
  return defines.flatMap((one) => {
    const old = own(before.defines, one.app);
    if (old === one.digest) return [];
    return definition(
      one,
      old === undefined ? ', which it did not' : ' in another way than before',
    );
  });
}

/**
 * Components of a repository share the files of their apps: a definition that changed for a new component has also
 * changed for the allowed ones.
 */
function redefinedBeside(others: readonly TrustedSubject[], { defines }: ManifestFacts): string[] {
  return defines.flatMap((one) => {
    const allowed = others.flatMap((other) => own(other.defines, one.app) ?? []);
    if (allowed.length === 0 || allowed.includes(one.digest)) return [];
    return definition(one, ' in another way than what is allowed of its publisher');
  });
}

function definition(one: ManifestFacts['defines'][number], how: string): string {
  return `It defines how accounts of ${one.app} connect${how}: ${hostsText(one)}.`;
}

/** The list after a yes to this. */
export function withTrust(
  trusted: readonly Trusted[],
  facts: ManifestFacts,
  isYoung: boolean,
): readonly Trusted[] {
  const { registry, publisher, subject } = facts;
  const isIt = (one: Trusted): boolean => one.registry === registry && one.publisher === publisher;
  const before = trusted.find(isIt)?.subjects ?? {};
  const young = Object.hasOwn(before, subject) ? (before[subject]?.youngVersions ?? []) : [];
  const entry: TrustedSubject = {
    license: facts.license ?? null,
    provenance: facts.provenance,
    dependencies: Object.keys(facts.dependencies),
    installScripts: facts.installScripts,
    apps: facts.apps,
    hosts: facts.hosts,
    defines: Object.fromEntries(facts.defines.map(({ app, digest }) => [app, digest])),
    youngVersions: isYoung ? [...new Set([...young, facts.version])] : young,
  };
  const subjects = { ...before, [subject]: entry };
  return [...trusted.filter((one) => !isIt(one)), { registry, publisher, subjects }];
}

/** Token of exactly this question: a yes is for these facts and reasons, and for no others. */
export function questionToken(facts: ManifestFacts, reasons: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([facts, reasons]))
    .digest('hex')
    .slice(0, 32);
}
