/**
 * A deep copy as plain data: functions and undefined left out, Dates as text. Undefined when nothing
 * is left or the value has no JSON form (a cycle, a BigInt).
 */
export function toData(value: unknown): unknown {
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}

/**
 * JSON text that never throws: a cycle becomes "[Circular]", a BigInt its digits. For what a
 * component returns or exports, where an axios response may come along (P15.16);
 * not for events, which must arrive as they were emitted.
 */
export function lenientJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, breakCycles());
  }
}

function breakCycles(): (this: unknown, key: string, value: unknown) => unknown {
  const ancestors: unknown[] = [];
  return function replace(this: unknown, _key: string, value: unknown): unknown {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null) return value;
    // `this` is the object that holds the value: everything below it on the path has been left.
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
    if (ancestors.includes(value)) return '[Circular]';
    ancestors.push(value);
    return value;
  };
}
