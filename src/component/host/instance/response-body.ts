/** Turns the body that `respond()` got into bytes for the wire (P7.29, P7.30, P7.58). */
import { toJson } from '../json.ts';
import type { Invocation } from '../output/invocation.ts';
import { isDictionary, isMethod, kindOf, plainText, type Dictionary } from '../values.ts';

export interface ResponseBody {
  readonly content: string | Uint8Array;
  /** Which content type it has unless the component says one. */
  readonly type?: string;
}

type Told = Pick<Invocation, 'warnOnce'>;

const json = 'application/json';

/**
 * A promise only for a body that has to be read first: streams, blobs, forms, promises. They are recognized by their
 * shape, because each package may have a class of its own.
 * @param invocation gets a warning about a value that cannot be sent
 */
export function responseBody(
  body: unknown,
  invocation: Told,
): ResponseBody | Promise<ResponseBody> {
  if (body === undefined || body === null) return { content: '' };
  if (typeof body === 'string') return { content: body };
  if (ArrayBuffer.isView(body)) {
    return { content: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) };
  }
  if (body instanceof ArrayBuffer) return { content: new Uint8Array(body) };
  if (typeof body !== 'object') return { content: plainText(body) };
  const { then } = body as Dictionary;
  if (isMethod(then)) {
    return Promise.resolve(body).then((value: unknown) => responseBody(value, invocation));
  }
  return readBody(body as Dictionary) ?? jsonBody(body, invocation);
}

/** Undefined for what has nothing to be read. */
function readBody(body: Dictionary): ResponseBody | Promise<ResponseBody> | undefined {
  const tag = Object.prototype.toString.call(body).slice(8, -1);
  if (tag === 'URLSearchParams') {
    return {
      content: (body as unknown as URLSearchParams).toString(),
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
    };
  }
  if (tag === 'FormData')
    return wholeOf(new Response(body as unknown as FormData) as unknown as Dictionary);
  if (isMethod(body['arrayBuffer'])) return wholeOf(body);
  if (isMethod(body[Symbol.asyncIterator as never]) || isIterator(body)) {
    return chunksOf(body as unknown as AsyncIterable<unknown>);
  }
  if (isMethod(body['pipe']) && isMethod(body['on'])) return oldStream(body);
  return undefined;
}

/** A generator, which gives its values once, like a stream. */
function isIterator(body: Dictionary): boolean {
  return isMethod(body['next']) && isMethod(body[Symbol.iterator as never]);
}

/** Reads the content of a Blob, a File, or a response of `fetch`. */
async function wholeOf(body: Dictionary): Promise<ResponseBody> {
  const { headers, type } = body as { headers?: Headers; type?: unknown };
  const read = body['arrayBuffer'] as () => Promise<ArrayBuffer>;
  const content = new Uint8Array(await read.call(body));
  const said = headers === undefined ? type : headers.get('content-type');
  return typeof said === 'string' && said !== '' ? { content, type: said } : { content };
}

async function chunksOf(stream: AsyncIterable<unknown>): Promise<ResponseBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    else {
      throw new TypeError(
        `respond: a stream gives texts and bytes, not ${kindOf(chunk)}. Make each part of it text first.`,
      );
    }
  }
  return { content: Buffer.concat(chunks) };
}

/** A stream from before async iterators existed. */
async function oldStream(body: Dictionary): Promise<ResponseBody> {
  const { Readable } = await import('node:stream');
  return chunksOf(new Readable().wrap(body as unknown as NodeJS.ReadableStream));
}

function jsonBody(body: object, { warnOnce }: Told): ResponseBody {
  if (body instanceof Map) return { content: toJson(Object.fromEntries(body)), type: json };
  if (body instanceof Set) return { content: toJson([...(body as Set<unknown>)]), type: json };
  // `toJSON` may leave nothing of it.
  const content = (toJson(body) as string | undefined) ?? '';
  const isPlain =
    isDictionary(body) && [Object.prototype, null].includes(Object.getPrototypeOf(body) as object);
  if (content === '{}' && !isPlain) {
    const name = (body.constructor as { name?: string } | undefined)?.name ?? 'object';
    warnOnce(
      `respond: nothing of the ${name} that is the body can be JSON, so that the caller gets {}. Give an object, a text, a Buffer or a stream.`,
    );
  }
  return { content, type: json };
}
