/**
 * What a record of data holds under a name that somebody chose: a prop, a key or an argument may be
 * called `toString`, and what every object inherits is nobody's value.
 */
export function own<T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
