import { contentDecoder } from '../../../protocol/content-encoding.ts';
import type { HttpTrigger, Trigger } from '../../../protocol/host.ts';
import { own } from '../../../protocol/own.ts';
import { timerEvent } from '../../../protocol/timer-event.ts';
import type { AskRuntime } from '../channel/requests.ts';
import { parseJson } from '../json.ts';
import { assign } from '../values.ts';
import { charsetOf, holdsBytes, textOf } from './body-text.ts';

/** What `run(event)` gets (P7, P8). A promise only where the body has to wait (compressed, multipart). */
export function triggerEvent(trigger: Trigger, askRuntime: AskRuntime): unknown {
  if (trigger.kind === 'http') return httpEvent(trigger, askRuntime);
  if (trigger.kind === 'timer') return timerEvent(trigger);
  // Never undefined: components destructure their argument (P8.15).
  return trigger.json === '' ? {} : jsonOrText(trigger.json);
}

function httpEvent(trigger: HttpTrigger, askRuntime: AskRuntime): unknown {
  const { buffer, byteOffset, byteLength } = trigger.body;
  const received = Buffer.from(buffer, byteOffset, byteLength);
  if (trigger.decodedBytes === undefined) return eventOf(trigger, received, received, askRuntime);
  return decoded(trigger, received).then((content) =>
    eventOf(trigger, received, content, askRuntime),
  );
}

/** The runtime has looked that it decodes, and that no step of it is too long. */
async function decoded({ headers }: HttpTrigger, received: Buffer): Promise<Buffer> {
  const decode = contentDecoder(headers['content-encoding'] ?? '');
  return decode === undefined ? received : decode(received);
}

/** @param content of the body, its content-encoding undone */
function eventOf(
  trigger: HttpTrigger,
  received: Buffer,
  content: Buffer,
  askRuntime: AskRuntime,
): unknown {
  const charset = charsetOf(trigger.headers['content-type'] ?? '', content);
  const bodyRaw = textOf(content, charset);
  // Signatures are made over the bytes, which the text may not hold (P7.47).
  const isRead = charset === undefined && content === received;
  const bodyBase64 = holdsBytes(bodyRaw, received, isRead)
    ? undefined
    : received.toString('base64');
  const body = parseBody(trigger, content, bodyRaw, askRuntime);
  if (body instanceof Promise) {
    return body.then((parsed) => assemble(trigger, bodyRaw, bodyBase64, parsed));
  }
  return assemble(trigger, bodyRaw, bodyBase64, body);
}

function assemble(
  trigger: HttpTrigger,
  bodyRaw: string,
  bodyBase64: string | undefined,
  body: unknown,
): unknown {
  const event = {
    method: trigger.method,
    path: trigger.path,
    query: parseQuery(trigger.query),
    headers: trigger.headers,
    bodyRaw,
    body,
    url: trigger.url,
    client_ip: trigger.clientIp,
  };
  return bodyBase64 === undefined ? event : { ...event, bodyBase64 };
}

/**
 * A request body as `event.body` (P7.8 to P7.13): JSON and forms are parsed, everything else is
 * text. A body that does not match its content type stays text; an empty body is undefined.
 */
function parseBody(
  trigger: HttpTrigger,
  content: Uint8Array,
  text: string,
  askRuntime: AskRuntime,
): unknown {
  if (trigger.rawBodyUrl !== undefined) return { raw_body_url: trigger.rawBodyUrl };
  if (text === '') return undefined;
  const contentType = trigger.headers['content-type'] ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return jsonOrText(text);
  if (mediaType === 'application/x-www-form-urlencoded') return parseForm(text);
  if (mediaType === 'multipart/form-data') {
    return parseMultipart(content, contentType, text, askRuntime);
  }
  return text;
}

/** Names and values of a query string; a name given several times becomes an array. */
function parseQuery(query: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (query === '') return fields;
  for (const [name, value] of new URLSearchParams(query)) add(fields, name, value);
  return fields;
}

/** A byte order mark is no part of it, though some write one (P7.48). */
function jsonOrText(text: string): unknown {
  try {
    return parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return text;
  }
}

/** `curl -d '{…}'` declares its body a form: such a body stays text (P7.10). */
function parseForm(text: string): unknown {
  if (/^\s*[[{]/.test(text) && typeof jsonOrText(text) === 'object') return text;
  return parseQuery(text);
}

/** One string per field; a file is `{url, filename, mimetype}`, to be fetched within half an hour. */
async function parseMultipart(
  body: Uint8Array,
  contentType: string,
  text: string,
  askRuntime: AskRuntime,
): Promise<unknown> {
  const form = await readForm(body, contentType);
  if (form === undefined) return text;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    add(fields, name, typeof value === 'string' ? value : await fileOf(value, askRuntime));
  }
  return fields;
}

async function readForm(body: Uint8Array, contentType: string): Promise<FormData | undefined> {
  try {
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    return undefined;
  }
}

async function fileOf(file: File, askRuntime: AskRuntime): Promise<object> {
  const { name, type } = file;
  const content = new Uint8Array(await file.arrayBuffer());
  const url = await askRuntime({ of: 'file', filename: name, contentType: type, content });
  return { url, filename: name, mimetype: type };
}

function add(fields: Record<string, unknown>, name: string, value: unknown): void {
  const before = own(fields, name);
  if (before === undefined) assign(fields, name, value);
  else assign(fields, name, Array.isArray(before) ? [...before, value] : [before, value]);
}
