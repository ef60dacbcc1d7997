import { isDictionary, type Dictionary } from '../authored.ts';
import { requestOf } from './request-of.ts';
import type { Maker } from './maker.ts';

/** What `execute()` resolves with: the parts of an axios response that components read (P14.6). */
export interface ExecutedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, else text. */
  readonly data: unknown;
}

/** The configured request as fields that the component may read and change, and `execute()`. */
export function httpRequestMaker(configured: unknown): Maker | undefined {
  if (!isDictionary(configured)) return undefined;
  return () => {
    const request: Dictionary = structuredClone(configured);
    Object.defineProperty(request, 'execute', { value: () => execute(request) });
    return request;
  };
}

/** Rejects as axios does on a status of 400 or more: with `response` on the error. */
async function execute(configured: Dictionary): Promise<ExecutedResponse> {
  const { url, ...init } = requestOf(configured);
  const answer = await fetch(url, init);
  const text = await answer.text();
  const response: ExecutedResponse = {
    status: answer.status,
    statusText: answer.statusText,
    headers: Object.fromEntries(answer.headers),
    data: parsed(text, answer.headers.get('content-type') ?? ''),
  };
  if (answer.status < 400) return response;
  const error = new Error(`Request failed with status code ${answer.status}`);
  throw Object.assign(error, { response });
}

function parsed(text: string, contentType: string): unknown {
  if (!/\bjson\b/i.test(contentType)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
