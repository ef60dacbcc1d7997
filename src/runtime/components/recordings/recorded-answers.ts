/** Which recorded request answers one that a test makes (pure). */
import type { HttpAnswer, OutgoingRequest } from '../../../protocol/outgoing-request.ts';

/** A request as a test makes it, with the same things taken out as of the recorded ones. */
export type AskedRequest = Pick<OutgoingRequest, 'method' | 'url' | 'body'>;

export type Answer =
  | { readonly answer: HttpAnswer }
  /** The connection ended before an answer came: that is what the code gets again. */
  | { readonly broken: string }
  /** A sentence that names the request and says what to do. */
  | { readonly missing: string };

/** A recording while a test is answered from it: each request of it answers once, in the recorded order. */
export class RecordedAnswers {
  readonly #left: OutgoingRequest[];
  readonly #all: readonly OutgoingRequest[];

  constructor(recorded: readonly OutgoingRequest[]) {
    this.#all = recorded;
    this.#left = [...recorded];
  }

  /**
   * The first that is left with the same method and URL, rather one with the same body. What changes from run to run (a
   * time, an id) is often in a body: it need not be the same.
   */
  answerTo(asked: AskedRequest): Answer {
    const same = this.#left.filter((one) => isSame(one, asked));
    const found =
      same.find(({ body }) => (body?.text ?? '') === (asked.body?.text ?? '')) ?? same[0];
    if (found === undefined) return { missing: this.#missing(asked) };
    this.#left.splice(this.#left.indexOf(found), 1);
    const { response, error } = found;
    if (response === null) return { broken: error ?? 'No answer came.' };
    if (response.body?.is_cut !== true) return { answer: response };
    return {
      missing: `The answer to ${lineOf(asked)} was too long to be kept: pin the step that asks for it.`,
    };
  }

  #missing(asked: AskedRequest): string {
    const times = this.#all.filter((one) => isSame(one, asked)).length;
    return times === 0
      ? `${lineOf(asked)} was not recorded.`
      : `${lineOf(asked)} was recorded ${times === 1 ? 'once' : `${times} times`}, and is made once more.`;
  }
}

export function lineOf({ method, url }: Pick<OutgoingRequest, 'method' | 'url'>): string {
  return `${method} ${url}`;
}

function isSame(recorded: AskedRequest, asked: AskedRequest): boolean {
  return recorded.method === asked.method && isSameUrl(recorded.url, asked.url);
}

/** Whether two URLs ask for the same: see {@link comparableUrl}. */
export function isSameUrl(a: string, b: string): boolean {
  return comparableUrl(a) === comparableUrl(b);
}

/**
 * With the parameters in their alphabetical order, and without the protocol: what was asked of a port is asked of it
 * whatever it speaks.
 */
function comparableUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.searchParams.sort();
  const port = url.port === '80' || url.port === '443' ? '' : url.port;
  return `${url.hostname}:${port}${url.pathname}?${url.searchParams.toString()}`;
}
