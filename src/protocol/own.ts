/**
 * The value of a record's own property. The names of props, keys and arguments are chosen by users and
 * may be `toString`: what every object inherits is not a value of the record.
 */
export function own<T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
