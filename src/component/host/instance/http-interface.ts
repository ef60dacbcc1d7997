import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { HostResponse, ResponseHeaders } from '../../../protocol/host.ts';
import { warnIgnored } from '../output/ignored.ts';
import type { Invocation } from '../output/invocation.ts';
import { assign, isDictionary, kindOf, plainText } from '../values.ts';
import { responseBody, type ResponseBody } from './response-body.ts';

/** Type of `this.<http>` (P3.24, P7.32, P7.33). */
export interface HttpInterface {
  readonly endpoint: string | undefined;
  respond(response?: unknown): Promise<void>;
}

/**
 * `respond` needs no `this`, may be awaited or not, and answers the request at most once: the first
 * call wins. When no request waits it does nothing, as components call it unconditionally.
 * @param waits whether a request waits for `respond`
 */
export function createHttpInterface(
  endpoint: string | undefined,
  waits: boolean,
  invocation: Invocation,
): HttpInterface {
  let open = waits;
  return {
    endpoint,
    respond(response?: unknown): Promise<void> {
      if (!open || invocation.ended) return Promise.resolve();
      const answer = responseOf(response, invocation);
      open = false;
      return whenRead(answer, invocation, (whole) => invocation.respond(whole));
    },
  };
}

/**
 * The response for the argument of `respond()` (P7.27 to P7.31): a status as text is a number, a missing one is 200,
 * undefined headers are left out, an object is JSON. A promise if the body has to be read.
 * @param invocation gets a warning if the sent value differs from the given one
 * @throws RangeError or TypeError for a status or header that HTTP cannot carry
 */
export function responseOf(
  given: unknown,
  invocation: Pick<Invocation, 'warnOnce'>,
): HostResponse | Promise<HostResponse> {
  if (given !== undefined && given !== null && !isDictionary(given)) {
    warnIgnored(
      invocation,
      `respond: it takes {status, headers, body} and was given ${kindOf(given)}, so that the caller gets an empty answer. Give the body as "body".`,
    );
  }
  const response = isDictionary(given) ? given : {};
  const headers = headersOf(response['headers']);
  const status = finalStatus(statusOf(response['status']), invocation);
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const answer = ({ content, type }: ResponseBody): HostResponse => ({
    status,
    headers: { ...headers, ...(type !== undefined && !hasType && { 'content-type': type }) },
    body: content,
  });
  const body = responseBody(response['body'], invocation);
  return body instanceof Promise ? body.then(answer) : answer(body);
}

/** Sends an answer, at once where nothing has to be read first; the run does not end before. */
export function whenRead<T>(
  answer: HostResponse | Promise<HostResponse>,
  invocation: Pick<Invocation, 'hold'>,
  sent: (answer: HostResponse) => T | Promise<T>,
): Promise<T> {
  if (!(answer instanceof Promise)) return Promise.resolve(sent(answer));
  const sending = answer.then(sent);
  invocation.hold(sending);
  return sending;
}

function statusOf(given: unknown): number {
  if (given === undefined || given === null || given === '') return 200;
  const status = typeof given === 'string' ? Number(given) : given;
  if (typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599) {
    return status;
  }
  throw new RangeError(
    `respond: status must be a number from 100 to 599, not ${plainText(given)}.`,
  );
}

/** An informational status cannot end a response (P7.40). */
function finalStatus(status: number, invocation: Pick<Invocation, 'warnOnce'>): number {
  if (status >= 200) return status;
  invocation.warnOnce(
    `respond: status ${status} cannot end a response, so that the caller gets 200. Give one from 200 to 599.`,
  );
  return 200;
}

/** Lists are joined, as HTTP has it, but not those of cookies: a comma may be part of one (P7.51). */
function headersOf(given: unknown): ResponseHeaders {
  const headers: Record<string, string | string[]> = {};
  if (!isDictionary(given)) return headers;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    validateHeaderName(name);
    const isList = Array.isArray(value);
    if (isList && name.toLowerCase() === 'set-cookie') {
      const cookies = value.map(plainText);
      for (const cookie of cookies) validateHeaderValue(name, cookie);
      assign(headers, name, cookies);
    } else {
      const text = isList ? value.join(', ') : plainText(value);
      validateHeaderValue(name, text);
      assign(headers, name, text);
    }
  }
  return headers;
}
