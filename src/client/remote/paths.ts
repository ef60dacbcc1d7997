/** Paths of files here, and of their copies on the machine of a runtime (pure). */

/** The folders of the same project on both machines. Absolute, without a trailing separator. */
export interface Roots {
  readonly local: string;
  readonly remote: string;
}

/** A path here as the runtime knows it. */
export function toRemote({ local, remote }: Roots, path: string): string {
  return remote + path.slice(local.length).replaceAll(separatorOf(local), separatorOf(remote));
}

/**
 * Translates the project's paths in a runtime's answer to local ones: in fields, and within texts such as stacks.
 * Nothing else changes; a value without paths is returned as it is.
 */
export function toLocal<T>(roots: Roots, value: T): T {
  return mapped(roots, value) as T;
}

function mapped(roots: Roots, value: unknown): unknown {
  if (typeof value === 'string') return textToLocal(roots, value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(roots, item));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  let changed: Record<string, unknown> | undefined;
  for (const [name, before] of Object.entries(value)) {
    const after = mapped(roots, before);
    if (after !== before) (changed ??= { ...value })[name] = after;
  }
  return changed ?? value;
}

function textToLocal({ local, remote }: Roots, text: string): string {
  if (text === remote) return local;
  const inside = remote + separatorOf(remote);
  if (!text.includes(inside)) return text;
  const separator = separatorOf(local);
  if (!text.startsWith(inside) || separator === separatorOf(remote)) {
    return text.replaceAll(inside, local + separator);
  }
  return local + text.slice(remote.length).replaceAll(separatorOf(remote), separator);
}

function separatorOf(root: string): string {
  return root.startsWith('/') ? '/' : '\\';
}
