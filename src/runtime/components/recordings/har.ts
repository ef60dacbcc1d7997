/** HTTP requests as an HTTP Archive (HAR 1.2), the format that browsers and proxies save and show (pure). */
import type {
  HttpAnswer,
  HttpBody,
  HttpHeader,
  OutgoingRequest,
} from '../../../protocol/outgoing-request.ts';
import { z } from 'zod';

/** A request with the name of the step that made it. */
export interface RecordedRequest {
  /** Undefined in an archive that somebody else made. */
  readonly step?: string | undefined;
  readonly request: OutgoingRequest;
}

/** @param version of Weir */
export function harOf(recorded: readonly RecordedRequest[], version: string): string {
  const entries = recorded.map(({ step, request }) => entryOf(step, request));
  const creator = { name: 'Weir', version };
  return `${JSON.stringify({ log: { version: '1.2', creator, entries } }, null, 2)}\n`;
}

function entryOf(step: string | undefined, made: OutgoingRequest): object {
  const { at, duration_ms: time, method, url, headers, body, response, error } = made;
  const unknown = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    ...(step !== undefined && { _step: step }),
    startedDateTime: new Date(at).toISOString(),
    time,
    request: {
      method,
      url,
      ...unknown,
      headers: headers.map(named),
      queryString: URL.canParse(url) ? [...new URL(url).searchParams].map(named) : [],
      ...(body !== null && {
        postData: {
          mimeType: headerOf(headers, 'content-type') ?? '',
          text: body.text,
          ...(body.is_base64 === true && { _encoding: 'base64' }),
          ...(body.is_cut === true && { _cut: true }),
        },
      }),
      bodySize: body?.size ?? 0,
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.status_text ?? '',
      ...unknown,
      headers: (response?.headers ?? []).map(named),
      content: {
        size: response?.body?.size ?? 0,
        mimeType: headerOf(response?.headers ?? [], 'content-type') ?? '',
        ...(response !== null && response.body !== null && { text: response.body.text }),
        ...(response?.body?.is_base64 === true && { encoding: 'base64' }),
        ...(response?.body?.is_cut === true && { _cut: true }),
      },
      redirectURL: headerOf(response?.headers ?? [], 'location') ?? '',
      bodySize: response?.body?.size ?? 0,
      ...(error !== null && { _error: error }),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

function named([name, value]: HttpHeader): { readonly name: string; readonly value: string } {
  return { name, value };
}

function headerOf(headers: readonly HttpHeader[], wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

const headers = z.array(z.object({ name: z.string(), value: z.string() })).default([]);

/** As much of an archive as is needed to answer from it; archives of others have more, and less. */
const har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        _step: z.string().optional(),
        startedDateTime: z.string().default(''),
        time: z.number().default(0),
        request: z.object({
          method: z.string(),
          url: z.string(),
          headers,
          postData: z
            .object({
              text: z.string().default(''),
              _encoding: z.literal('base64').optional(),
              _cut: z.literal(true).optional(),
            })
            .optional(),
        }),
        response: z.object({
          status: z.number().int(),
          statusText: z.string().default(''),
          headers,
          content: z
            .object({
              size: z.number().default(0),
              text: z.string().optional(),
              encoding: z.string().optional(),
              _cut: z.literal(true).optional(),
            })
            .default({ size: 0 }),
          _error: z.string().optional(),
        }),
      }),
    ),
  }),
});

/**
 * The requests of an archive, in its order.
 * @throws Error with a sentence that says what is wrong with the text
 */
export function requestsOfHar(text: string): RecordedRequest[] {
  const read = har.safeParse(JSON.parse(text));
  if (!read.success) {
    const [first] = read.error.issues;
    throw new Error(
      `${(first?.path ?? []).join('.')}: ${first?.message ?? 'not as HAR 1.2 has it'}`,
    );
  }
  return read.data.log.entries.map(({ _step: step, startedDateTime, time, request, response }) => {
    const { postData } = request;
    const { content, status, _error: error } = response;
    return {
      step,
      request: {
        at: Date.parse(startedDateTime) || 0,
        duration_ms: Math.max(0, time),
        method: request.method,
        url: request.url,
        headers: request.headers.map(pair),
        body:
          postData === undefined
            ? null
            : bodyOf(postData.text, postData._encoding === 'base64', postData._cut === true),
        // Browsers write 0 where no answer came.
        response: status === 0 ? null : answerOf({ ...response, content }),
        error: error ?? null,
      },
    };
  });
}

function answerOf({
  status,
  statusText,
  headers: given,
  content: { text, encoding, _cut: isCut },
}: z.output<typeof har>['log']['entries'][number]['response']): HttpAnswer {
  const body = bodyOf(text ?? '', encoding === 'base64', isCut === true);
  return { status, status_text: statusText, headers: given.map(pair), body };
}

function bodyOf(text: string, isBase64: boolean, isCut: boolean): HttpBody {
  const size = Buffer.byteLength(text, isBase64 ? 'base64' : 'utf8');
  return {
    text,
    size,
    ...(isBase64 && { is_base64: true }),
    ...(isCut && { is_cut: true }),
  };
}

function pair({ name, value }: { readonly name: string; readonly value: string }): HttpHeader {
  return [name, value];
}
