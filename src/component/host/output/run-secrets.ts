/**
 * Secrets that this process was given: values of secret props, and credentials of accounts. Neither a log nor an error
 * that is kept has one in clear (P4.11), also where an app repeats a key in its answer.
 */
import type { HostConfiguration, ThrownError } from '../../../protocol/host.ts';
import { type Mask, maskOf } from '../../../protocol/mask.ts';
import { unwrapped } from '../../../protocol/picked-value.ts';
import { accountSecrets, type NamedSecret, textsIn } from '../../../protocol/secret-values.ts';

/** A process of workflows gets tokens that are refreshed for weeks: the ones that are out of use longest are forgotten. */
const mostSecrets = 1000;

/** Value and name, the oldest first. */
const known = new Map<string, string>();
let mask: Mask | undefined;

/** @param secretProps names of the props whose values are secret */
export function learnSecrets(
  secretProps: readonly string[],
  { props, accounts }: Pick<HostConfiguration, 'props' | 'accounts'>,
): void {
  const ofProps = secretProps.flatMap((name) =>
    textsIn(unwrapped(props[name])).map((text): NamedSecret => [name, text]),
  );
  for (const [name, value] of [...ofProps, ...accountSecrets(accounts)]) {
    // A name that is still in use becomes the newest again.
    const firstName = known.get(value) ?? name;
    if (!known.delete(value)) mask = undefined;
    known.set(value, firstName);
  }
  for (const value of known.keys()) {
    if (known.size <= mostSecrets) break;
    known.delete(value);
  }
}

/** The text with the names of secrets instead of their values; values of fewer than 6 characters are not replaced. */
export function hideSecrets(text: string): string {
  if (known.size === 0) return text;
  mask ??= maskOf([...known].map(([value, name]) => [name, value]));
  return mask.text(text);
}

export function withoutSecrets(error: ThrownError): ThrownError {
  const { name, message, stack } = error;
  return {
    ...error,
    name: hideSecrets(name),
    message: hideSecrets(message),
    ...(stack !== undefined && { stack: hideSecrets(stack) }),
  };
}
