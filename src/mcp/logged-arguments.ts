/** The arguments of a call as the log of calls has them: everything except the values of secret props (pure). */
import { isRecord } from '../protocol/record.ts';

const hidden = '[not kept]';

export interface Told {
  /** Values by prop as the answer shows them, a secret as `{"secret": true}`; undefined where it shows none. */
  readonly configured: unknown;
  /** Arguments that were refused, as only the user gives them, or as nobody knows what they are. */
  readonly refused: readonly string[];
}

/** If the answer does not show which values are secret, only values that cannot be secret are kept. */
export function loggedArguments(given: unknown, { configured, refused }: Told): unknown {
  const withoutRefused = (value: unknown, name: string): unknown =>
    refused.includes(name) ? hidden : value;
  const withoutSecrets = (value: unknown, name: string): unknown => {
    const shown = isRecord(configured) ? configured[name] : undefined;
    const isKnown = shown !== undefined && !(isRecord(shown) && shown['secret'] === true);
    return isKnown || isNoSecret(value) ? value : hidden;
  };
  return each(given, (value, name) => {
    if (name === 'configured_props') return each(value, withoutSecrets);
    return withoutRefused(name === 'values' ? each(value, withoutRefused) : value, name);
  });
}

/** A number, a yes or no, or an account by its id. */
function isNoSecret(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? 'authProvisionId' in value
    : typeof value !== 'string';
}

function each(value: unknown, change: (member: unknown, name: string) => unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, change(member, name)]),
  );
}
