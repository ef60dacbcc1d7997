import type { ConfigurableProp } from '../../protocol/definition.ts';
import type { Values } from '../../webview/prop-form/messages.ts';

/** A stored secret as replies show it; sent back, it keeps what is stored. */
export const kept = { secret: true } as const;

/**
 * The values of a form as the runtime takes them: what was typed into a secret's field comes from the
 * host's memory, and where there is none, what is stored stays.
 * @param typed by prop name
 * @param stored names of the secrets the runtime has
 */
export function withSecrets(
  values: Values,
  props: readonly ConfigurableProp[],
  typed: ReadonlyMap<string, string>,
  stored: readonly string[],
): Record<string, unknown> {
  const whole = new Map(Object.entries(values));
  for (const { name, secret } of props) {
    if (secret !== true || !isKept(whole.get(name))) continue;
    if (typed.has(name)) whole.set(name, typed.get(name));
    else if (!stored.includes(name)) whole.delete(name);
  }
  return Object.fromEntries(whole);
}

export function isKept(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'secret' in value && value.secret === true;
}
