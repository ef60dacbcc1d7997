/** Workflows from the platform's REST API, or whatever speaks it at another address. */
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { limitedText } from '../../base/limited-answer.ts';

export interface ApiOptions {
  /** Such as `https://api.example.com/v1`. */
  readonly url: string;
  readonly key: string;
  /** `o_…` */
  readonly orgId?: string | undefined;
  readonly signal: AbortSignal;
}

const timeoutMs = 30_000;
/** A workflow with all its code has some hundred KB. */
const mostBytes = 16 * 1024 * 1024;

/**
 * A workflow from the API's answer.
 * @throws WeirError `bad_input` that says what to change, or to try again later
 */
export async function workflowFromApi(
  { url, key, orgId, signal }: ApiOptions,
  id: string,
): Promise<unknown> {
  const base = url.replace(/\/+$/, '');
  const query = orgId === undefined ? '' : `?org_id=${encodeURIComponent(orgId)}`;
  const address = `${base}/workflows/${encodeURIComponent(id)}${query}`;
  let response: Response;
  try {
    response = await fetch(address, {
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
  } catch (error) {
    if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.', undefined, error);
    throw new WeirError(
      'bad_input',
      `${base} does not answer (${messageOf(error)}): is the address right, and the platform still on?`,
      undefined,
      error,
    );
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new WeirError('bad_input', refusal(response.status, base, id));
  }
  const { text, isCut } = await limitedText(response, mostBytes).catch((error: unknown) => {
    if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.', undefined, error);
    const message = `The answer of ${base} for ${id} broke off (${messageOf(error)}). Try again.`;
    throw new WeirError('bad_input', message, undefined, error);
  });
  if (isCut) {
    const limit = `${mostBytes / 1024 / 1024} MB`;
    throw new WeirError(
      'bad_input',
      `${base} answered more than ${limit} for ${id}: is --api right?`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new WeirError('bad_input', `${base} answered with no JSON for ${id}.`, undefined, error);
  }
}

function refusal(status: number, base: string, id: string): string {
  switch (status) {
    case 401:
      return `${base} does not know this key: give another with --api-key.`;
    case 403:
      return `${base} does not let this key read ${id}: give the workspace with --org, or a key of its own.`;
    case 404:
      return `${base} has no workflow ${id}: check its id, and --org.`;
    case 429:
      return `${base} takes no more requests for now (429): import fewer at a time, or again in a minute.`;
    default:
      return `${base} answered ${status} for ${id}: try again later.`;
  }
}
