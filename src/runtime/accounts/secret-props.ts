/**
 * Secret props among a source's configured values: sealed in the store, in the clear only on their way
 * into a component host.
 *
 * Sealed is `{"__sealed": "weir1:…"}`. A value a user gave that has this very form is sealed as well,
 * whatever its prop, so that an envelope in the store is always one of ours: opening needs no
 * definition and stays right when an update makes a prop secret, or no longer secret.
 */
import type { ComponentDefinition } from '../../protocol/definition.ts';
import type { Sealer } from './seal.ts';

type Values = Readonly<Record<string, unknown>>;

const envelopeKey = '__sealed';

/**
 * @param values as the user gave them. Stored ones must not be among them: seal what is new and merge
 * it over what is stored.
 */
export function sealProps(
  definition: Pick<ComponentDefinition, 'props'>,
  values: Values,
  sealer: Sealer,
): Record<string, unknown> {
  const secret = new Set(
    definition.props.filter((prop) => prop.secret === true).map((prop) => prop.name),
  );
  return mapValues(values, (value, name) => {
    const unset = value === undefined || value === null;
    const toSeal = secret.has(name) ? !unset : isSealed(value);
    return toSeal ? { [envelopeKey]: sealer.seal(JSON.stringify(value)) } : value;
  });
}

/** The values as the user gave them. Throws `store_failed` when the key does not fit. */
export function openProps(stored: Values, sealer: Sealer): Record<string, unknown> {
  return mapValues(stored, (value) =>
    isSealed(value) ? (JSON.parse(sealer.open(value[envelopeKey])) as unknown) : value,
  );
}

/** Every sealed text among the values. */
export function sealedIn(stored: Values): string[] {
  return Object.values(stored).flatMap((value) => (isSealed(value) ? [value[envelopeKey]] : []));
}

export function isSealed(value: unknown): value is { readonly [envelopeKey]: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    envelopeKey in value &&
    typeof value[envelopeKey] === 'string'
  );
}

function mapValues(
  values: Values,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, change(value, name)]),
  );
}
