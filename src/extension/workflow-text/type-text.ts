/** Types of values that were seen (pure): names and kinds, never a value, since those may be secret. */

/** How deep a type goes, and how many names of an object it has; what is beyond is `any`. */
const deepest = 12;
const mostNames = 200;
/** Items of a list that are looked at. */
const mostItems = 50;

/** Common structure of several values. */
interface Seen {
  readonly kinds: Set<'string' | 'number' | 'boolean' | 'null'>;
  /** For objects: each name, and how many of the objects have it. */
  names: Map<string, { readonly type: Seen; count: number }> | undefined;
  objects: number;
  items: Seen | undefined;
  isAny: boolean;
}

const nothing = (): Seen => ({
  kinds: new Set(),
  names: undefined,
  objects: 0,
  items: undefined,
  isAny: false,
});

/**
 * A TypeScript type that accepts each of these values, and says no more of them than their shape. A name that only
 * some of the objects at one place have is optional, and others are `any`: what was seen is a sample.
 * @param values what JSON can hold
 */
export function typeTextOf(values: readonly unknown[]): string {
  const seen = nothing();
  for (const value of values) see(seen, value, 0);
  return textOf(seen);
}

function see(seen: Seen, value: unknown, depth: number): void {
  if (depth > deepest) seen.isAny = true;
  else if (value === null) seen.kinds.add('null');
  else if (Array.isArray(value)) {
    seen.items ??= nothing();
    // A type of the first items would refuse the others.
    if (value.length > mostItems) see(seen.items, undefined, depth + 1);
    for (const item of value.slice(0, mostItems)) see(seen.items, item, depth + 1);
  } else if (typeof value === 'object') seeObject(seen, value, depth);
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    seen.kinds.add(typeof value as 'string');
  } else seen.isAny = true;
}

function seeObject(seen: Seen, value: object, depth: number): void {
  seen.names ??= new Map();
  seen.objects += 1;
  for (const [name, inner] of Object.entries(value)) {
    // Beyond those it is one of the names that nobody has written down.
    if (!seen.names.has(name) && seen.names.size >= mostNames) continue;
    const known = seen.names.get(name) ?? { type: nothing(), count: 0 };
    known.count += 1;
    see(known.type, inner, depth + 1);
    seen.names.set(name, known);
  }
}

function textOf({ kinds, names, objects, items, isAny }: Seen): string {
  if (isAny) return 'any';
  const parts: string[] = [...kinds].toSorted();
  if (names !== undefined) {
    const rows = [...names].map(([name, { type, count }]) => {
      // Every object has a method of that name, whatever the others hold.
      const text = name in Object.prototype ? 'any' : textOf(type);
      return `${nameText(name)}${count < objects ? '?' : ''}: ${text}; `;
    });
    parts.push(`{ ${rows.join('')}[name: string]: any }`);
  }
  if (items !== undefined) {
    const text = textOf(items);
    parts.push(text === 'never' ? 'any[]' : `Array<${text}>`);
  }
  return parts.length === 0 ? 'never' : parts.join(' | ');
}

/** A name of an object as TypeScript has it. */
export function nameText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name)
    ? name
    : JSON.stringify(name).replaceAll(
        /[\u2028\u2029]/g,
        (sign) => String.raw`\u${sign.codePointAt(0)?.toString(16) ?? ''}`,
      );
}
