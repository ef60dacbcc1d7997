/** The differences of a test: which of its steps run, and that none waits (pure; P25.90 to P25.92). */
import type { StepRequests } from '../../../protocol/host-steps.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import { own } from '../../../protocol/own.ts';
import { isRecord } from '../../../protocol/record.ts';
import { heldBackHeader } from '../../../protocol/run-mode.ts';
import type { Outcome } from '../../processes/outcome.ts';
import type { Pin } from '../../store/history/executions.ts';
import type { Task, Walk } from '../walk/walk.ts';
import type { Execution } from './execution.ts';

type Tested = Pick<Execution, 'test'>;

/** The steps that may start: in a test of one step or block only that one. */
export function readyOf({ test }: Tested, walk: Walk): readonly Task[] {
  const only = test?.only;
  if (only === undefined) return walk.ready();
  const isInside = (path: string): boolean =>
    path.startsWith(`${only}.`) || path.startsWith(`${only}[`);
  return walk.ready().filter(({ path }) => path === only || isInside(path));
}

/** The result that replaces a step. */
export function pinFor({ test }: Tested, { namespace }: Pick<Task, 'namespace'>): Pin | undefined {
  return own(test?.pins, namespace);
}

/**
 * A step that made a request without an answer in a dry run has failed, whatever it made of that: it would go on with
 * something that its server never said. The failure names the request.
 */
export function withHeldBack(outcome: Outcome): Outcome {
  const held = (outcome.requests ?? []).map(({ json }) => heldBackIn(json));
  const message = held.find((sentence) => sentence !== undefined);
  if (message === undefined) return outcome;
  // The stack is of what the step made of the answer, such as that it is no JSON.
  return { ...outcome, error: { name: 'HeldBack', message } };
}

/** The sentence that a held back request was answered with; undefined for any other. */
function heldBackIn(json: string): string | undefined {
  const request = valueOfJson(json);
  if (!isRecord(request) || !isRecord(request['response'])) return undefined;
  const { headers, body } = request['response'];
  const isHeld =
    Array.isArray(headers) &&
    headers.some((header: unknown) => Array.isArray(header) && header[0] === heldBackHeader);
  if (!isHeld || !isRecord(body) || typeof body['text'] !== 'string') return undefined;
  return body['text'] === '' ? undefined : body['text'];
}

/** A step of a test that asked for a wait continues at once, and its log says so. */
export function withoutWait(
  { pause, ...requests }: StepRequests,
  outcome: Outcome,
  at: number,
): { readonly requests: StepRequests; readonly outcome: Outcome } {
  if (pause === undefined) return { requests, outcome };
  const text = `A test does not wait: $.flow.${pause.kind} had no effect.`;
  return {
    requests,
    outcome: { ...outcome, logs: [...outcome.logs, { at, level: 'info', text }] },
  };
}
