/** The record of a source, before and after an update (pure, with ids and time injected). */
import { WeirError } from '../../protocol/errors.ts';
import type { Sealer } from '../accounts/seal.ts';
import { sealProps } from '../accounts/secret-props.ts';
import type { PreparedComponent } from '../components/prepare.ts';
import type { InterfaceRecord, SourceRecord } from '../store/configuration/sources.ts';
import { interfacesOf } from './interfaces.ts';

export interface RecordParts {
  readonly sealer: Sealer;
  readonly newId: (prefix: 'hi_' | 'ti_') => string;
  readonly now: () => number;
}

/** Its slug is the one it would like: the store finds one that is free. */
export function newRecord(
  { sealer, newId, now }: RecordParts,
  source: {
    readonly id: string;
    readonly componentId: string;
    readonly name: string | undefined;
    /** Reserved ones, which keep their id. */
    readonly interfaces: readonly InterfaceRecord[];
  },
  { definition, configured }: PreparedComponent,
): SourceRecord {
  const { id, componentId, name = definition.name } = source;
  const at = now();
  return {
    id,
    componentId,
    name,
    // A name without a letter or digit makes no slug (P21.4): the id does.
    slug: slugify(name) || id.toLowerCase().replace('_', '-'),
    deploying: true,
    active: false,
    configuredProps: sealProps(definition, configured, sealer),
    definition,
    interfaces: interfacesOf(definition, configured, source.interfaces, newId),
    createdAt: at,
    updatedAt: at,
  };
}

/** New code and props; id, name, state and, as far as their props stay, the interfaces are kept. */
export function updatedRecord(
  { sealer, newId, now }: RecordParts,
  before: SourceRecord,
  componentId: string,
  { definition, configured }: PreparedComponent,
): SourceRecord {
  return {
    ...before,
    componentId,
    definition,
    configuredProps: sealProps(definition, configured, sealer),
    interfaces: interfacesOf(definition, configured, before.interfaces, newId),
    updatedAt: now(),
  };
}

/** Throws `bad_input` for a name that makes none. */
export function slugOf(name: string): string {
  const slug = slugify(name);
  if (slug !== '') return slug;
  throw new WeirError('bad_input', `The name "${name}" has no letter or digit to make a slug of.`);
}

/**
 * A name as a shell-safe word: lower-case ASCII letters, digits and single dashes (P21.4).
 *
 * @returns an empty text when the name has nothing to make a slug of
 */
export function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F'’]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
