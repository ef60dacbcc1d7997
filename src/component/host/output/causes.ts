/** Describes the errors behind an error: `cause`, the `errors` of an AggregateError, and `suppressed`. */
import { inspect } from 'node:util';
import { causedBy, oneOf } from '../../../protocol/error-causes.ts';

/** How deep, and how many errors in all: a chain may be a ring, or made in a loop. */
const deepest = 10;
const most = 20;
const longestHead = 4096;

interface Budget {
  readonly seen: Set<unknown>;
  left: number;
}

/**
 * The lines below an error's stack; empty without causes.
 * @param framesOf the lines of a stack that mean something to its author
 * @param own the lines above them
 */
export function causesOf(
  thrown: object,
  framesOf: (thrown: object) => readonly string[],
  own: string,
): string[] {
  const budget = { seen: new Set<unknown>([thrown]), left: most };
  return below(thrown, own, 0, budget, framesOf);
}

function below(
  thrown: object,
  above: string,
  depth: number,
  budget: Budget,
  framesOf: (thrown: object) => readonly string[],
): string[] {
  const parts = partsOf(thrown);
  const lines: string[] = [];
  for (const [label, part] of parts) {
    if (budget.seen.has(part) || depth >= deepest) continue;
    if (budget.left === 0) {
      lines.push('… and more errors');
      break;
    }
    budget.left -= 1;
    if (typeof part === 'object' && part !== null) budget.seen.add(part);
    const head = headOf(part);
    const frames =
      typeof part === 'object' && part !== null ? safely(() => framesOf(part), []) : [];
    // A wrapper that says all that its cause says needs no second telling.
    const isSaid =
      above.includes(messageOf(part) ?? head) && frames.every((one) => above.includes(one));
    if (!isSaid) lines.push(`${label}${head}`, ...frames);
    if (typeof part !== 'object' || part === null) continue;
    const deeper = below(part, `${above}\n${head}`, depth + 1, budget, framesOf);
    // A chain reads best as a list; each of several errors is indented by itself.
    lines.push(...deeper.map((line) => (label === causedBy ? line : `  ${line}`)));
  }
  return lines;
}

/** The errors behind an error, each with its label. */
function partsOf(thrown: object): [label: string, part: unknown][] {
  const read = (name: string): unknown =>
    safely(() => (thrown as Record<string, unknown>)[name], undefined);
  const cause = read('cause');
  const errors = read('errors');
  const all: unknown[] = Array.isArray(errors) ? safely(() => errors.slice(0, most), []) : [];
  // Other errors have texts, or fields of a form, under that name.
  const isAggregate = all.length > 0 && all.every((one) => isErrorLike(one));
  const isSuppressed = read('name') === 'SuppressedError';
  const total = Array.isArray(errors) ? errors.length : 0;
  return [
    ...(isAggregate ? all.map((one, at): [string, unknown] => [oneOf(at + 1, total), one]) : []),
    ...(isSuppressed
      ? [
          [causedBy, read('error')] satisfies [string, unknown],
          ['Suppressed: ', read('suppressed')] satisfies [string, unknown],
        ]
      : []),
    ...(cause === undefined || cause === null || typeof cause === 'function'
      ? []
      : [[causedBy, cause] satisfies [string, unknown]]),
  ];
}

function isErrorLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && messageOf(value) !== undefined;
}

/** `Error [ECONNREFUSED]: connect …`: the code only where the message does not have it. */
function headOf(part: unknown): string {
  const message = messageOf(part);
  if (message === undefined) {
    return cut(
      safely(() => inspect(part, { depth: 2, breakLength: Number.POSITIVE_INFINITY }), '…'),
    );
  }
  const { name, code } = part as { readonly name?: unknown; readonly code?: unknown };
  const title = typeof name === 'string' && name !== '' ? name : 'Error';
  const coded =
    (typeof code === 'string' && code !== '' && !message.includes(code)) || typeof code === 'number'
      ? ` [${code}]`
      : '';
  return cut(message === '' ? `${title}${coded}` : `${title}${coded}: ${message}`);
}

function messageOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const message = safely(() => (value as { readonly message?: unknown }).message, undefined);
  return typeof message === 'string' ? message : undefined;
}

function cut(text: string): string {
  return text.length <= longestHead ? text : `${text.slice(0, longestHead)}…`;
}

function safely<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
