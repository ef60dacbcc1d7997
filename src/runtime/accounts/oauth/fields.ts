/** The values that a user enters for the addresses and the `$auth` of an app. */
import { type ErrorDetail, WeirError } from '../../../protocol/errors.ts';
import { searchPatterns } from '../../base/patterns.ts';
import { leadsToHostIn } from '../apps/address-host.ts';
import { isSafeAddress, type OAuthMethod } from '../apps/schema.ts';

type Values = Readonly<Record<string, string>>;

/** A field in an address without a pattern must not lead to another host. */
const harmless = '[A-Za-z0-9.-]+';

/**
 * The fields with their defaults.
 * @throws WeirError `bad_input` with one detail per field
 */
export async function fieldsOf(
  { fields }: Pick<OAuthMethod, 'fields'>,
  given: Values,
): Promise<Values> {
  const wrong: ErrorDetail[] = [];
  const values = new Map<string, string>();
  for (const { name, label = name, default: usual, optional, pattern = harmless } of fields) {
    const value = given[name] ?? usual ?? '';
    if (value === '') {
      if (optional !== true) wrong.push({ prop: name, message: `${label} (${name}) is missing.` });
    } else if (await isWhole(pattern, value)) values.set(name, value);
    else wrong.push({ prop: name, message: `${label} (${name}) must match ${pattern}.` });
  }
  const known = new Set(fields.map(({ name }) => name));
  const those = known.size === 0 ? 'this app has none' : `the app has ${[...known].join(', ')}`;
  for (const name of Object.keys(given))
    if (!known.has(name))
      wrong.push({ prop: name, message: `There is no field ${name}; ${those}.` });
  if (wrong.length === 0) return Object.fromEntries(values);
  throw new WeirError('bad_input', wrong.map(({ message }) => message).join(' '), wrong);
}

/** The pattern of a definition may come from anybody; `harmless` is ours and needs no thread. */
async function isWhole(pattern: string, value: string): Promise<boolean> {
  if (pattern === harmless) return /^[A-Za-z0-9.-]+$/.test(value);
  const [found] = await searchPatterns([{ pattern: `^(?:${pattern})$`, text: value }]);
  return found === true;
}

/** With its placeholders filled in. */
export function filledText(text: string, fields: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => fields[name] ?? '');
}

/**
 * An address with its placeholders filled in.
 * @throws WeirError `bad_input` if the result is not an address, or leads to another host
 */
export function filledAddress(address: string, fields: Values): string {
  const filled = filledText(address, fields);
  if (!isSafeAddress(filled))
    throw new WeirError('bad_input', `${address} is not an address with these fields filled in.`);
  if (leadsToHostIn(address, filled)) return filled;
  throw new WeirError(
    'bad_input',
    `${address} leads to ${new URL(filled).host} with these fields filled in: correct them.`,
  );
}
