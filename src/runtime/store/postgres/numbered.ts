const known = new Map<string, string>();

/** `$1`, `$2` instead of each `?`, as PostgreSQL names values. */
export function numbered(sql: string): string {
  let found = known.get(sql);
  if (found === undefined) {
    let place = 0;
    found = sql.replaceAll('?', () => `$${++place}`);
    // Statements with a list of values are as many as there are lengths.
    if (known.size < 1000) known.set(sql, found);
  }
  return found;
}
