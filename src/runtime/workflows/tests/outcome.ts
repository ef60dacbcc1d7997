/** The part of an execution that a test compares (pure). */
import type { WholeExecution } from '../../../protocol/catalogue.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';

export interface Outcome {
  readonly status: string;
  readonly error: string | null;
  /** By the name of the step; of several runs the last. */
  readonly steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The arguments of `$.send` and `$.flow.trigger`, in their order. */
  readonly sends: readonly Readonly<Record<string, unknown>>[];
  readonly response: Readonly<Record<string, unknown>> | null;
}

export function outcomeOf({
  status,
  error,
  steps,
  sends,
  response,
}: Pick<WholeExecution, 'status' | 'error' | 'steps' | 'sends' | 'response'>): Outcome {
  return {
    status,
    error: error === null ? null : `${error.name}: ${error.message}`,
    steps: Object.fromEntries(
      steps.map(({ namespace, exports, return_value: value }) => [
        namespace,
        { ...exports, ...(value !== undefined && { $return_value: value }) },
      ]),
    ),
    sends: sends.map(({ path, kind, sent }) => ({ step: path, kind, ...readable(sent) })),
    response:
      response === null
        ? null
        : { status: response.status, headers: response.headers, body: bodyOf(response) },
  };
}

function bodyOf({
  body,
  body_encoding: encoding,
}: NonNullable<WholeExecution['response']>): unknown {
  return encoding === 'base64' ? body : valueOfJson(body);
}

/** Bodies and payloads are kept as text; a test speaks of what is in them. */
function readable(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      typeof value === 'string' && (name === 'payload' || name === 'body')
        ? valueOfJson(value)
        : value,
    ]),
  );
}
