import type { ConfigurableProp } from '../../protocol/definition.ts';
import type { Values } from '../../webview/prop-form/messages.ts';

/**
 * The values of a form as the runtime takes them. The page only has placeholders for secrets
 * ({@link isKept}): one stands for what was typed, else for what is stored, else it is left out.
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

/** Whether a value is the placeholder of a secret: sent to the runtime, it keeps what is stored. */
export function isKept(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'secret' in value && value.secret === true;
}
