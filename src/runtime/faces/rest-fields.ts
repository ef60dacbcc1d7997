/** `include=a,b` and `exclude=a,b`: which fields of the answer are wanted (pure; P16.7). */

export interface Fields {
  readonly include?: unknown;
  readonly exclude?: unknown;
}

/** Applies to the object, or to each object of a list. */
export function selectFields(data: unknown, fields: Fields): unknown {
  const included = names(fields.include);
  const excluded = names(fields.exclude);
  if (included.size === 0 && excluded.size === 0) return data;
  const wanted = (name: string): boolean =>
    (included.size === 0 || included.has(name)) && !excluded.has(name);
  const select = (item: unknown): unknown =>
    typeof item === 'object' && item !== null
      ? Object.fromEntries(Object.entries(item).filter(([name]) => wanted(name)))
      : item;
  return Array.isArray(data) ? data.map(select) : select(data);
}

function names(list: unknown): Set<string> {
  if (typeof list !== 'string') return new Set();
  return new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
}
