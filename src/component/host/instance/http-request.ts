import { parseJson, toJson } from '../json.ts';
import { isDictionary, plainText, type Dictionary } from '../values.ts';

/** Result of `execute()`: the parts of an axios response that components read (P14.6). */
interface ExecutedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, else text. */
  readonly data: unknown;
}

/**
 * The configured request as fields that the component may read and change, and `execute()`.
 * @param isOfAction an action gets what was answered, a source the response
 */
export function httpRequestFactory(
  configured: unknown,
  isOfAction: boolean,
): (() => Dictionary) | undefined {
  if (!isDictionary(configured)) return undefined;
  return () => {
    const request: Dictionary = structuredClone(configured);
    const sent = (): Promise<unknown> =>
      isOfAction ? execute(request).then(answered) : execute(request);
    Object.defineProperty(request, 'execute', { value: sent });
    return request;
  };
}

/** Actions hand on what they get, and read `headers` and the rest from it: these are there, and not handed on. */
function answered(response: ExecutedResponse): unknown {
  const { data } = response;
  if (typeof data !== 'object' || data === null) return data;
  for (const [name, value] of Object.entries(response)) {
    if (!(name in data)) Object.defineProperty(data, name, { value });
  }
  return data;
}

/** Rejects as axios does on a status of 400 or more: with `response` on the error. */
async function execute(configured: Dictionary): Promise<ExecutedResponse> {
  const { url, ...init } = fetchRequest(configured);
  const fetched = await fetch(url, init);
  const text = await fetched.text();
  const response: ExecutedResponse = {
    status: fetched.status,
    statusText: fetched.statusText,
    headers: Object.fromEntries(fetched.headers),
    data: parsed(text, fetched.headers.get('content-type') ?? ''),
  };
  if (fetched.status < 400) return response;
  const error = new Error(`Request failed with status code ${fetched.status}`);
  throw Object.assign(error, { response });
}

function parsed(text: string, contentType: string): unknown {
  if (!/\bjson\b/i.test(contentType)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Arguments of `fetch`. */
export interface FetchRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | FormData;
}

/**
 * A configured `http_request` as what `fetch` takes (P4.5): params, headers and fields are
 * rows `{name, value, disabled?}`, auth is none, basic or bearer, the body is raw or fields.
 * @throws TypeError for a URL that is not absolute, or an auth type that only the platform has
 */
export function fetchRequest(configured: Dictionary): FetchRequest {
  const address = configured['url'];
  if (typeof address !== 'string' || !URL.canParse(address)) {
    throw new TypeError(`The HTTP request has no absolute URL: ${plainText(address ?? '')}`);
  }
  const url = new URL(address);
  for (const [name, value] of rows(configured['params'])) url.searchParams.append(name, value);
  const headers = new Headers(rows(configured['headers']));
  const authorization = authorizationOf(configured['auth']);
  if (authorization !== undefined) headers.set('authorization', authorization);
  const method = plainText(configured['method'] ?? 'GET').toUpperCase();
  const body = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(configured, headers);
  return { url: url.href, method, headers, ...(body === undefined ? {} : { body }) };
}

function authorizationOf(auth: unknown): string | undefined {
  if (!isDictionary(auth)) return undefined;
  const type = auth['type'] ?? 'none';
  if (type === 'none') return undefined;
  if (type === 'bearer') return `Bearer ${plainText(auth['token'] ?? '')}`;
  if (type === 'basic') {
    const pair = `${plainText(auth['username'] ?? '')}:${plainText(auth['password'] ?? '')}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  if (type === 'integrated_auth' && hasNoKeys(auth['app'])) return undefined;
  throw new TypeError(
    `The HTTP request's auth type "${plainText(type)}" exists on the platform only; use none, basic or bearer.`,
  );
}

/** The platform's own app "HTTP", which is integrated where nothing was chosen. */
function hasNoKeys(app: unknown): boolean {
  return isDictionary(app) && (app['authType'] ?? undefined) === undefined;
}

/** Sets the content type of the body unless one was configured; a multipart form sets its own. */
function bodyOf(configured: Dictionary, headers: Headers): string | FormData | undefined {
  const body = configured['body'];
  if (body === undefined || body === null) return undefined;
  const parts: Dictionary = isDictionary(body) ? body : { raw: body };
  const contentType = contentTypeOf(parts);
  const fields = parts['type'] === 'raw' ? undefined : (parts['fields'] ?? parts['params']);
  if (fields === undefined) {
    const { raw } = parts;
    if (raw === undefined || raw === null || raw === '') return undefined;
    if (!headers.has('content-type')) headers.set('content-type', contentType ?? typeOfRaw(raw));
    return plainText(raw);
  }
  if (contentType === 'multipart/form-data') {
    headers.delete('content-type');
    const form = new FormData();
    for (const [name, value] of rows(fields)) form.append(name, value);
    return form;
  }
  if (contentType === 'application/x-www-form-urlencoded') {
    if (!headers.has('content-type')) headers.set('content-type', contentType);
    return new URLSearchParams(rows(fields)).toString();
  }
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return toJson(Object.fromEntries(rows(fields)));
}

function contentTypeOf(body: Dictionary): string | undefined {
  const given = body['contentType'];
  return typeof given === 'string' && given !== '' ? given : undefined;
}

function typeOfRaw(raw: unknown): string {
  return typeof raw === 'string' ? 'text/plain' : 'application/json';
}

/** Rows that are enabled and have a name; a plain object counts as its entries. */
function rows(given: unknown): [string, string][] {
  if (Array.isArray(given)) {
    return (given as unknown[])
      .filter(isDictionary)
      .filter((row) => row['disabled'] !== true && row['name'] !== undefined && row['name'] !== '')
      .map((row) => [plainText(row['name']), plainText(row['value'] ?? '')]);
  }
  if (!isDictionary(given)) return [];
  return Object.entries(given).map(([name, value]) => [name, plainText(value ?? '')]);
}
