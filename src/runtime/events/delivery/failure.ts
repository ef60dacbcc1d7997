/** Whether an attempt has delivered, and if not, the message for a person (pure). */
import { hopsHeader, loopDetected, mostHops } from '../../../protocol/hops.ts';
import type { AttemptRecord } from '../../store/history/deliveries.ts';

export type FailureClass =
  | 'dns'
  | 'refused'
  | 'tls'
  | 'timeout'
  | 'reset'
  /** Any other way a connection fails. */
  | 'network'
  | 'redirect'
  | 'status'
  /** The endpoint that it came back to takes no more of a ring (P19.16). */
  | 'ring'
  /** The webhook's signing secret cannot be opened. */
  | 'secret'
  /** The event is no longer stored. */
  | 'gone';

export interface Failure {
  readonly class: FailureClass;
  /** One sentence. */
  readonly message: string;
}

export type Answer = NonNullable<AttemptRecord['response']>;

/** Undefined for an answer that takes the event: any 2xx. Redirects are not followed (our decision). */
export function failureOf(answer: Answer): Failure | undefined {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    const to = headers['location'] === undefined ? '' : ` to ${headers['location']}`;
    return {
      class: 'redirect',
      message: `The target answered ${status}, a redirect${to}. Redirects are not followed; give the webhook the final URL.`,
    };
  }
  if (status === loopDetected && headers[hopsHeader] !== undefined) {
    return {
      class: 'ring',
      message: `The target refused the event, because ${mostHops} runs in a row led to it, each started by the event of the one before: this webhook leads back to a source that its events come from. Delete it, or one of its subscriptions.`,
    };
  }
  return { class: 'status', message: `The target answered ${status}.` };
}

/** The failure of connecting, sending or waiting for the answer. */
export function failureOfThrown(thrown: unknown, url: URL): Failure {
  const { code, message } = codeOf(thrown);
  const name = classes.find(([pattern]) => pattern.test(code))?.[1] ?? 'network';
  return { class: name, message: `${sentences[name](url)} (${code === '' ? message : code}).` };
}

const classes: readonly (readonly [RegExp, keyof typeof sentences])[] = [
  [/^(ENOTFOUND|EAI_\w+|ENODATA)$/, 'dns'],
  [/^ECONNREFUSED$/, 'refused'],
  [/TIMEOUT|^ETIMEDOUT$/, 'timeout'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, 'reset'],
  [/TLS|SSL|CERT|^EPROTO$|UNABLE_TO_|_SIGNATURE|_CRL|INVALID_CA/, 'tls'],
];

const sentences = {
  dns: (url: URL) => `The host ${url.hostname} could not be found`,
  refused: (url: URL) => `Nothing listens at ${url.host}`,
  timeout: (url: URL) => `${url.host} did not answer in time`,
  reset: (url: URL) => `${url.host} closed the connection before it answered`,
  tls: (url: URL) => `No secure connection to ${url.host} could be made`,
  network: (url: URL) => `${url.host} could not be reached`,
};

/** The system's code is deeper if several addresses were tried, or a library wrapped the error. */
function codeOf(thrown: unknown): { code: string; message: string } {
  if (!(thrown instanceof Error)) return { code: '', message: String(thrown) };
  if ('code' in thrown && typeof thrown.code === 'string') {
    return { code: thrown.code, message: thrown.message };
  }
  const inner: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause;
  return inner === undefined ? { code: '', message: thrown.message } : codeOf(inner);
}
