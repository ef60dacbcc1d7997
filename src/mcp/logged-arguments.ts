/** What of a call's arguments stands in the log of calls: all of it but the values of secret props (pure). */
import { isRecord } from '../protocol/record.ts';

const hidden = '[not kept]';

export interface Told {
  /** Values by prop as the answer shows them, a secret as `{"secret": true}`; undefined where it shows none. */
  readonly configured: unknown;
  /** Props that were refused, as only the user gives them. */
  readonly refused: readonly string[];
}

/** While nothing tells which props are secret, only what can be no secret is kept of their values. */
export function loggedArguments(given: unknown, { configured, refused }: Told): unknown {
  const withoutRefused = (value: unknown, name: string): unknown =>
    refused.includes(name) ? hidden : value;
  const withoutSecrets = (value: unknown, name: string): unknown => {
    if (!isRecord(configured)) return isNoSecret(value) ? value : hidden;
    const shown = configured[name];
    return isRecord(shown) && shown['secret'] === true ? hidden : value;
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
