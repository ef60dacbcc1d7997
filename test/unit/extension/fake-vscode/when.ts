/** What a `when` clause is asked about: context keys, `view`, `viewItem`. */
export type Context = ReadonlyMap<string, unknown>;

/** Whether a `when` clause of the manifest holds, as far as ours go: `&&`, `||`, `!`, `==`, `!=`, `=~`. */
export function holds(clause: string | undefined, context: Context): boolean {
  if (clause === undefined || clause === '') return true;
  return clause
    .split(' || ')
    .some((any) => any.split(' && ').every((term) => isTrue(term.trim(), context)));
}

function isTrue(term: string, context: Context): boolean {
  if (term.startsWith('!')) return !isTrue(term.slice(1), context);
  const [, key = '', operator, wanted = ''] = /^([\w.]+)(?: (==|!=|=~) (.+))?$/.exec(term) ?? [];
  if (key === '') throw new Error(`Not a term of a when clause: ${term}`);
  const value = context.get(key);
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  if (operator === undefined) return Boolean(value);
  if (operator === '=~') return new RegExp(wanted.slice(1, wanted.lastIndexOf('/'))).test(text);
  const isSame = text === wanted.replaceAll("'", '');
  return operator === '==' ? isSame : !isSame;
}
