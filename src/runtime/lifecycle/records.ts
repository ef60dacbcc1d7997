/** The record of a source, before and after an update (pure, with ids and time injected). */
import { WeirError } from '../../protocol/errors.ts';
import type { Sealer } from '../accounts/seal.ts';
import { sealProps } from '../accounts/secret-props.ts';
import type { PreparedComponent } from '../components/prepare.ts';
import type { InterfaceRecord, SourceRecord } from '../store/configuration/sources.ts';
import { interfacesOf } from './interfaces.ts';
import { slugify, uniqueSlug } from './slug.ts';

export interface RecordParts {
  readonly sealer: Sealer;
  readonly newId: (prefix: 'hi_' | 'ti_') => string;
  readonly now: () => number;
}

/** @param taken slugs of the other sources */
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
  taken: Set<string>,
): SourceRecord {
  const { id, componentId, name = definition.name } = source;
  const at = now();
  return {
    id,
    componentId,
    name,
    // A name without a letter or digit makes no slug (P21.4): the id does.
    slug: uniqueSlug(slugify(name) || id.toLowerCase().replace('_', '-'), taken),
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

/** The slug follows the name (P21.4). Throws `bad_input` for a name that makes none. */
export function renamed(
  record: SourceRecord,
  name: string,
  slugs: Set<string>,
): Pick<SourceRecord, 'name' | 'slug'> {
  const base = slugify(name);
  if (base === '') {
    throw new WeirError(
      'bad_input',
      `The name "${name}" has no letter or digit to make a slug of.`,
    );
  }
  const taken = new Set(slugs);
  taken.delete(record.slug);
  return { name, slug: uniqueSlug(base, taken) };
}
