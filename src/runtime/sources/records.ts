/** The record of a source, before and after an update (pure, with ids and time injected). */
import { WeirError } from '../../protocol/errors.ts';
import type { Sealer } from '../accounts/seal.ts';
import { sealProps } from '../accounts/secret-props.ts';
import type { PreparedComponent } from '../components/prepare.ts';
import type { InterfaceRecord, SourceRecord } from '../store/configuration/sources.ts';
import { interfacesOf } from './interfaces.ts';
import type { BaseServices } from '../base/services.ts';

export interface RecordParts extends Pick<BaseServices, 'newId' | 'now'> {
  readonly sealer: Sealer;
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
    slug: slugOf(name, id),
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

/**
 * The slug a source would like: that of its name, and of its id where the name has no letter or digit (P21.4).
 * @throws WeirError `bad_input` for a name that is blank
 */
export function slugOf(name: string, id: string): string {
  if (name.trim() === '') throw new WeirError('bad_input', 'The name is empty. Give one.');
  return slugify(name) || id.toLowerCase().replace('_', '-');
}

/**
 * A name as a shell-safe word: lower-case letters and digits, and single dashes. Latin letters lose their
 * accents, so that names in English make plain ASCII (P21.1); those of other scripts stay (P21.10).
 *
 * @returns an empty text when the name has nothing to make a slug of
 */
export function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/(?<=\p{Script=Latin})\p{M}+|['’]/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
