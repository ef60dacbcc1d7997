/**
 * The results of steps and blocks from a workflow's process, checked (pure). Code of strangers runs in there: an
 * invalid result ends the execution that it belongs to, and nothing else.
 */
import type { BlockChoice, StepRequests } from '../../../protocol/host-steps.ts';
import { isJson } from '../../../protocol/json-text.ts';
import type { BlockStep } from '../../../protocol/workflow.ts';
import { elseBranch } from '../../../protocol/step-path.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A wait of more than a year is refused where it is asked for. */
const longestMs = 367 * 24 * 3600_000;

/** The requests of a step; undefined if they are invalid. @param result JSON text, absent if there are none */
export function readRequests(result: string | undefined): StepRequests | undefined {
  if (result === undefined) return {};
  const asked = read(result);
  if (!isRecord(asked)) return undefined;
  const { exit, pause, sends, props } = asked;
  const fits =
    (exit === undefined || isExit(exit)) &&
    (pause === undefined || isPause(pause)) &&
    (sends === undefined || (Array.isArray(sends) && sends.every(isSend))) &&
    (props === undefined || (typeof props === 'string' && isRecord(read(props))));
  return fits ? asked : undefined;
}

/** Which way a block goes; undefined when it is not understood, or no way that it has. */
export function readChoice(
  result: string | undefined,
  { control, branches }: Pick<BlockStep, 'control' | 'branches'>,
): BlockChoice | undefined {
  const told = result === undefined ? undefined : read(result);
  if (!isRecord(told)) return undefined;
  if (control === 'each') {
    const { items } = told;
    return isTexts(items) && items.every(isJson) ? { items } : undefined;
  }
  const { chosen } = told;
  const names = new Set([elseBranch, ...branches.map(({ name }) => name)]);
  return isTexts(chosen) && chosen.every((name) => names.has(name)) ? { chosen } : undefined;
}

function isExit(exit: unknown): boolean {
  return isRecord(exit) && (exit['reason'] === null || typeof exit['reason'] === 'string');
}

const kinds: ReadonlySet<unknown> = new Set(['delay', 'suspend', 'rerun']);

function isPause(pause: unknown): boolean {
  if (!isRecord(pause)) return false;
  const { kind, ms, context } = pause;
  const isTime = typeof ms === 'number' && ms >= 0 && ms <= longestMs;
  const isContext = context === undefined || (typeof context === 'string' && isJson(context));
  return kinds.has(kind) && (ms === null || isTime) && isContext;
}

function isSend(send: unknown): boolean {
  if (!isRecord(send)) return false;
  const { kind, method, url, headers, body, subject, text, html, to, bucket, prefix } = send;
  const { payload, channel, workflow } = send;
  const hasHeaders =
    headers === undefined || (isRecord(headers) && isTexts(Object.values(headers)));
  switch (kind) {
    case 'http':
      return isTexts([method, url]) && headers !== undefined && hasHeaders && isTextOrNone(body);
    case 'email':
      return isTexts([subject]) && hasHeaders && [text, html, to].every(isTextOrNone);
    case 's3':
      return isTexts([bucket, prefix, payload]);
    case 'sse':
      return isTexts([channel, payload]) && !/[\r\n\0]/.test(String(channel));
    case 'trigger':
      return isTexts([workflow]) && typeof payload === 'string' && isJson(payload);
    default:
      return false;
  }
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
