/**
 * How values of component code become JSON. What a component emits or stores must arrive as it was
 * given, so it is refused when it has no JSON form (`notJson`); what it exports or returns degrades
 * instead (`exportJson`), because an axios response may be part of it.
 */

/**
 * Node's own, whatever component code puts in their place: other processes have to be able to read what
 * the host writes.
 */
export const { parse: parseJson, stringify: toJson } = JSON;

/** Deepest nesting, and characters of one value, that a step may hand on (P13.2, P13.3). */
const deepest = 256;
const largest = 6 * 1024 * 1024;

/**
 * A deep copy as plain data: functions and undefined left out, Dates as text. Undefined when nothing
 * is left or the value has no JSON form (a cycle, a BigInt).
 */
export function toData(value: unknown): unknown {
  try {
    const json = toJson(value) as string | undefined;
    return json === undefined ? undefined : (parseJson(json) as unknown);
  } catch {
    return undefined;
  }
}

/**
 * The error for a value that `JSON.stringify` refused.
 * @param what names the value: the beginning of the sentence
 */
export function notJson(what: string, cause: unknown): TypeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new TypeError(`${what} cannot be made JSON. ${reason}`, { cause });
}

/**
 * The JSON text of a value that a step exports or returns; undefined if nothing is left of it (P13.2: functions are
 * stripped, values without a JSON form degrade).
 * @param read decides about parts that throw when they are read: leave them out, unless `strictly`
 * @throws RangeError naming the value if it is nested too deeply or too large
 */
export function exportJson(
  name: string,
  value: unknown,
  read: Reading = attempt,
): string | undefined {
  const json = lenientJson(name, value, read);
  if (json === undefined) return undefined;
  if (json.length > largest) {
    throw tooMuch(
      `${name} is ${(json.length / 1024 / 1024).toFixed(1)} MB of JSON; a step may hand on 6 MB.`,
    );
  }
  if (depthOf(json) > deepest) throw tooMuch(`${name} is nested more than ${deepest} levels deep.`);
  return json;
}

/** Without frames: those there are lead into Weir, and not to the step. */
function tooMuch(message: string): RangeError {
  const error = new RangeError(message);
  error.stack = `RangeError: ${message}`;
  return error;
}

/**
 * JSON text that never throws: a cycle becomes "[Circular]", a BigInt its digits (P15.16).
 */
function lenientJson(name: string, value: unknown, read: Reading): string | undefined {
  try {
    return toJson(value);
  } catch {
    return toJson(readableCopy(name, read, value, []));
  }
}

/**
 * The readable parts of a value without a JSON form: a cycle becomes "[Circular]", a BigInt its digits. Parts that
 * throw when they are read are left out, be it a getter, a `toJSON` or a revoked proxy.
 * @throws RangeError for a value that is nested too deeply
 */
function readableCopy(
  name: string,
  read: Reading,
  value: unknown,
  above: readonly object[],
): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '[Circular]';
  if (above.length > deepest) throw tooMuch(`${name} is nested more than ${deepest} levels deep.`);
  const inside = [...above, value];
  if (read(() => Array.isArray(value)) === true) {
    return Array.from(value as ArrayLike<unknown>, (_, index) =>
      readableCopy(
        name,
        read,
        read(() => (value as unknown[])[index]),
        inside,
      ),
    );
  }
  const json = read(() => (value as { toJSON?: unknown }).toJSON);
  if (typeof json === 'function') {
    const given: unknown = read(() => json.call(value, ''));
    if (given !== undefined && given !== value) return readableCopy(name, read, given, inside);
  }
  if (/^(?:Number|String|Boolean)$/.test(read(() => tagOf(value)) ?? '')) return value;
  const copy: Record<string, unknown> = {};
  for (const key of read(() => Object.keys(value)) ?? []) {
    const one = readableCopy(
      name,
      read,
      read(() => (value as Record<string, unknown>)[key]),
      inside,
    );
    // JSON has none; one that is called toJSON would be called once more.
    if (typeof one === 'function') continue;
    Object.defineProperty(copy, key, {
      value: one,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Reads a part of a value. */
type Reading = <T>(part: () => T) => T | undefined;

/** A part that throws when it is read fails the whole value. */
export const strictly: Reading = (part) => part();

/** Undefined for what throws. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** How deeply JSON text is nested. A text shorter than the limit cannot be nested too deeply. */
function depthOf(json: string): number {
  if (json.length <= deepest) return 0;
  let depth = 0;
  let most = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === quote) inText = !inText;
    else if (inText && character === backslash) at += 1;
    else if (!inText && (character === openBrace || character === openBracket)) {
      depth += 1;
      most = Math.max(most, depth);
    } else if (!inText && (character === closeBrace || character === closeBracket)) depth -= 1;
  }
  return most;
}

const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = [
  34, 92, 123, 91, 125, 93,
] as const;
