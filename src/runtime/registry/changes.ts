/** Differences between two versions of a component, for the person who decides about an update (pure; P27.11). */
import { hostsText } from './defined.ts';
import type { ManifestFacts } from './manifest-facts.ts';
import type { ReadProp } from '../components/read-text.ts';

export type ChangeOf =
  | 'publisher'
  | 'license'
  | 'provenance'
  | 'deprecated'
  | 'dependencies'
  | 'install_scripts'
  | 'apps'
  | 'hosts'
  | 'definitions'
  | 'props';

export interface FactChange {
  readonly of: ChangeOf;
  readonly message: string;
}

/** A version, as far as it is known. */
export interface Known {
  readonly facts: ManifestFacts;
  readonly props: readonly ReadProp[];
}

/** In the order of their weight; a sentence each. */
export function changesBetween(before: Known, after: Known): FactChange[] {
  const [old, now] = [before.facts, after.facts];
  const said = (of: ChangeOf, messages: readonly string[]): FactChange[] =>
    messages.map((message) => ({ of, message }));
  return [
    ...said('publisher', replaced('Publisher', old.publisher, now.publisher)),
    ...said('license', replaced('License', old.license, now.license)),
    ...said(
      'provenance',
      old.provenance && !now.provenance
        ? ['Its registry kept a statement of its build before, and keeps none of this version.']
        : [],
    ),
    ...said('deprecated', now.deprecated === undefined ? [] : [`Deprecated: ${now.deprecated}.`]),
    ...said('dependencies', dependencies(old.dependencies, now.dependencies)),
    ...said(
      'install_scripts',
      listed('install scripts (which never run)', old.installScripts, now.installScripts),
    ),
    ...said('apps', listed('apps whose accounts it asks for', old.apps, now.apps)),
    ...said('hosts', listed('hosts', old.hosts, now.hosts)),
    ...said('definitions', definitions(old.defines, now.defines)),
    ...said('props', props(before.props, after.props)),
  ];
}

function replaced(what: string, before: string | undefined, after: string | undefined): string[] {
  return before === after ? [] : [`${what}: ${before ?? 'none'} → ${after ?? 'none'}.`];
}

function listed(what: string, before: readonly string[], after: readonly string[]): string[] {
  const added = after.filter((one) => !before.includes(one));
  const gone = before.filter((one) => !after.includes(one));
  return [
    ...(added.length === 0 ? [] : [`New ${what}: ${added.join(', ')}.`]),
    ...(gone.length === 0 ? [] : [`No longer: ${what} ${gone.join(', ')}.`]),
  ];
}

function dependencies(
  before: ManifestFacts['dependencies'],
  after: ManifestFacts['dependencies'],
): string[] {
  const changed = Object.entries(after).flatMap(([name, version]) => {
    const old = before[name];
    return old === undefined || old === version ? [] : [`${name} ${old} → ${version}`];
  });
  return [
    ...listed('dependencies', Object.keys(before), Object.keys(after)),
    ...(changed.length === 0 ? [] : [`Other versions of dependencies: ${changed.join(', ')}.`]),
  ];
}

/** The destination of tokens matters more than which apps they belong to. */
function definitions(before: ManifestFacts['defines'], after: ManifestFacts['defines']): string[] {
  const gone = before.filter(({ app }) => !after.some((one) => one.app === app));
  return [
    ...after.flatMap((one) => {
      const old = before.find(({ app }) => app === one.app);
      if (old?.digest === one.digest) return [];
      const hosts = hostsText(one);
      if (old === undefined) return `New definition of the app ${one.app}: ${hosts}.`;
      const was = hostsText(old);
      return `Another definition of the app ${one.app}: ${was === hosts ? `${hosts}, as before` : `${was} → ${hosts}`}.`;
    }),
    ...(gone.length === 0
      ? []
      : [`No longer: definitions of the apps ${gone.map(({ app }) => app).join(', ')}.`]),
  ];
}

function props(before: readonly ReadProp[], after: readonly ReadProp[]): string[] {
  const types = new Map(before.map(({ name, type }) => [name, type]));
  const changed = after.flatMap(({ name, type }) => {
    const old = types.get(name);
    return old === undefined || old === type ? [] : [`${name} ${old} → ${type}`];
  });
  const names = (all: readonly ReadProp[]): string[] => all.map(({ name }) => name);
  return [
    ...listed('props', names(before), names(after)),
    ...(changed.length === 0 ? [] : [`Other types of props: ${changed.join(', ')}.`]),
  ];
}
