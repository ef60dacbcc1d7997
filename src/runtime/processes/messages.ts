/**
 * The boundary to a component's process: what it sends is checked here and nowhere else, and what is not
 * as `protocol/host.ts` says goes no further (pure). Code of strangers runs in there; it may forge
 * messages, or be odd enough to spoil those of the host.
 *
 * It is written by hand because every event passes it: a check of `done` with one emit takes less than a
 * microsecond. What is rare and deep (the definition) comes as JSON and has a schema.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { itemSize, type Batch, type FromHost } from '../../protocol/host.ts';

/** The most characters of an error's text: a host cuts each part of it at 64 K. */
const longestErrorText = 256 * 1024;

/** A batch whose messages are not checked yet; undefined if the value is not a batch. */
export function asBatch(value: unknown): Batch<unknown> | undefined {
  return isObject(value) && isCount(value['q']) && Array.isArray(value['m'])
    ? (value as unknown as Batch<unknown>)
    : undefined;
}

/** The piece of work that a message speaks of, as far as it can be known. */
export function workOf(message: unknown): number | null {
  const n = isObject(message) ? message['n'] : undefined;
  return isCount(n) ? n : null;
}

/** How a sentence names a message that is not understood. */
export function nameOfMessage(message: unknown): string {
  const t = isObject(message) ? message['t'] : undefined;
  return typeof t === 'string' && Object.hasOwn(checks, t)
    ? `a message "${t}" of the wrong form`
    : 'a message of no kind that there is';
}

/**
 * The size of a message: what it says that a run has produced, text in characters and `itemSize` for each
 * item; 0 for other kinds. Undefined for what is no `FromHost`, and only then.
 */
export function sizeOfMessage(message: unknown): number | undefined {
  if (!isObject(message)) return undefined;
  const { t } = message;
  if (typeof t !== 'string' || !Object.hasOwn(checks, t)) return undefined;
  return checks[t as FromHost['t']](message);
}

type Fields = Readonly<Record<string, unknown>>;
/** The size of a message; undefined when it has not the form of its kind. */
type Check = (message: Fields) => number | undefined;

const checks: Readonly<Record<FromHost['t'], Check>> = {
  ready: () => 0,
  attached: () => 0,
  loaded: ({ definition }) => sizeIf(typeof definition === 'string'),
  loadFailed: ({ error }) => sizeIf(isThrownError(error)),
  progress: (message) => (isCount(message['n']) ? sizeOfProduced(message) : undefined),
  done: (message) => {
    const { n, error, result } = message;
    const fits =
      isCount(n) && isTextOrNone(result) && (error === undefined || isThrownError(error));
    return fits ? sizeOfProduced(message) : undefined;
  },
  refreshTimeout: ({ n }) => sizeIf(isCount(n)),
  respond: ({ n, response }) => sizeIf(isCount(n) && isResponse(response)),
  inspector: ({ url }) => sizeIf(url === null || isInspectorUrl(url)),
  pending: ({ isPending }) => sizeIf(typeof isPending === 'boolean'),
  request: ({ id, request }) => sizeIf(isCount(id) && isRequest(request)),
  ending: ({ n, cause, message, stack }) =>
    sizeIf(
      (n === null || isCount(n)) &&
        (cause === 'exit' || cause === 'uncaught') &&
        isErrorText(message) &&
        (stack === undefined || isErrorText(stack)),
    ),
};

function sizeIf(fits: boolean): number | undefined {
  return fits ? 0 : undefined;
}

function sizeOfProduced({ emits, db, logs, exports, requests }: Fields): number | undefined {
  const sizes = [
    sizeOfAll(emits, sizeOfEmit),
    sizeOfAll(db, sizeOfDbWrite),
    sizeOfAll(logs, sizeOfLine),
    sizeOfAll(exports, sizeOfExport),
    sizeOfAll(requests, sizeOfRequest),
  ];
  let sum = 0;
  for (const size of sizes) {
    if (size === undefined) return undefined;
    sum += size;
  }
  return sum;
}

/** Ends at the first item that does not fit: a list of a billion holes costs nothing. */
function sizeOfAll(items: unknown, sizeOf: Check): number | undefined {
  if (items === undefined) return 0;
  if (!Array.isArray(items)) return undefined;
  let sum = 0;
  for (const item of items as unknown[]) {
    const size = isObject(item) ? sizeOf(item) : undefined;
    if (size === undefined) return undefined;
    sum += size + itemSize;
  }
  return sum;
}

function sizeOfEmit({ event, id, name, summary, ts, deliveryTs, at }: Fields): number | undefined {
  const fits =
    typeof event === 'string' &&
    isTime(at) &&
    (typeof id === 'number' ? !Number.isNaN(id) : isTextOrNone(id)) &&
    isTextOrNone(name) &&
    isTextOrNone(summary) &&
    (ts === undefined || isFinite(ts)) &&
    (deliveryTs === undefined || isFinite(deliveryTs));
  return fits ? event.length + lengthOf(id) + lengthOf(name) + lengthOf(summary) : undefined;
}

function sizeOfDbWrite({ prop, key, json }: Fields): number | undefined {
  const fits = typeof prop === 'string' && typeof key === 'string' && isTextOrNone(json);
  return fits ? prop.length + key.length + lengthOf(json) : undefined;
}

function sizeOfLine({ at, level, text }: Fields): number | undefined {
  const fits = isTime(at) && levels.has(level) && typeof text === 'string';
  return fits ? text.length : undefined;
}

const levels: ReadonlySet<unknown> = new Set(['debug', 'info', 'warn', 'error']);

function sizeOfExport({ name, json }: Fields): number | undefined {
  const fits = typeof name === 'string' && typeof json === 'string';
  return fits ? name.length + json.length : undefined;
}

function sizeOfRequest({ json }: Fields): number | undefined {
  return typeof json === 'string' ? json.length : undefined;
}

/** It is stored and shown as it is, so there is nothing in it but these. */
function isThrownError(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, message, stack, configuration, unauthorized, ...others } = value;
  return (
    isErrorText(name) &&
    isErrorText(message) &&
    (stack === undefined || isErrorText(stack)) &&
    (configuration === undefined || typeof configuration === 'boolean') &&
    (unauthorized === undefined || unauthorized === true) &&
    Object.keys(others).length === 0
  );
}

/** The responses that Node's own HTTP accepts: it throws at anything else, when the answer is sent. */
function isResponse(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { status, headers, body } = value;
  return (
    Number.isInteger(status) &&
    Number(status) >= 100 &&
    Number(status) <= 599 &&
    isObject(headers) &&
    Object.entries(headers).every(([name, given]) => isResponseHeader(name, given)) &&
    (typeof body === 'string' || body instanceof Uint8Array)
  );
}

function isResponseHeader(name: string, value: unknown): boolean {
  if (!Array.isArray(value)) return isHeader(name, value);
  if (name.toLowerCase() !== 'set-cookie') return false;
  // Not `every`, which passes over holes.
  for (const cookie of value as unknown[]) if (!isHeader(name, cookie)) return false;
  return true;
}

function isHeader(name: string, value: unknown): boolean {
  try {
    validateHeaderName(name);
    return typeof value === 'string' && (validateHeaderValue(name, value), true);
  } catch {
    return false;
  }
}

function isRequest(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value['of'] === 'data_store') {
    const { store, call } = value;
    return typeof store === 'string' && isObject(call) && isDataStoreCall(call);
  }
  if (value['of'] === 'workflow') return typeof value['id'] === 'string';
  if (value['of'] === 'held_back') return typeof value['message'] === 'string';
  if (value['of'] === 'respond') return isCount(value['n']) && isResponse(value['response']);
  const { of, filename, contentType, content } = value;
  return (
    of === 'file' &&
    typeof filename === 'string' &&
    isHeader('content-type', contentType) &&
    (typeof content === 'string' || content instanceof Uint8Array)
  );
}

function isDataStoreCall({ op, key, json, ttl, after }: Fields): boolean {
  const hasKey = typeof key === 'string';
  const hasTtl = ttl === null || isFinite(ttl);
  switch (op) {
    case 'get':
    case 'has':
    case 'delete':
      return hasKey;
    case 'set':
      return hasKey && typeof json === 'string' && hasTtl;
    case 'setTtl':
      return hasKey && hasTtl;
    case 'page':
      return after === null || typeof after === 'string';
    case 'clear':
    case 'keys':
    case 'entries':
      return true;
    default:
      return false;
  }
}

/** A debugger will connect to this URL. */
function isInspectorUrl(value: unknown): boolean {
  return typeof value === 'string' && /^ws:\/\/127\.0\.0\.1:\d{1,5}\/[\w-]+$/.test(value);
}

/** A plain one: a `Map` or a `Date` has no entries of its own, and would pass for an empty record. */
function isObject(value: unknown): value is Fields {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isFinite(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Epoch ms that a `Date` can hold. */
function isTime(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15;
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isErrorText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestErrorText;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}
