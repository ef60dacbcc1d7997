/** What a test looks at of an execution (pure). */
import type { WholeExecution } from '../../../protocol/catalogue.ts';

export interface Outcome {
  readonly status: string;
  readonly error: string | null;
  /** By the name of the step; of several runs the last. */
  readonly steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly response: Readonly<Record<string, unknown>> | null;
}

export function outcomeOf({ status, error, steps, response }: WholeExecution): Outcome {
  return {
    status,
    error: error === null ? null : `${error.name}: ${error.message}`,
    steps: Object.fromEntries(
      steps.map(({ namespace, exports, return_value: value }) => [
        namespace,
        { ...exports, ...(value !== undefined && { $return_value: value }) },
      ]),
    ),
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
  if (encoding === 'base64') return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
