import { contentDecoder } from '../../../protocol/content-encoding.ts';
import type { HttpTrigger, Trigger } from '../../../protocol/host.ts';
import { timerEvent } from '../../../protocol/timer-event.ts';
import type { AskRuntime } from '../channel/requests.ts';
import { parseJson } from '../json.ts';
import { charsetOf, holdsBytes, textOf } from './body-text.ts';
import { fieldsOf, formFields, queryFields } from './form-fields.ts';
import { readMultipart, type FormPart } from './multipart.ts';

/** The argument of `run(event)` (P7, P8). A promise only if the body has to wait (compressed, multipart). */
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
  const body = parseBody(trigger, content, charset, bodyRaw, askRuntime);
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
    query: queryFields(trigger.query),
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
  content: Buffer,
  charset: string | undefined,
  text: string,
  askRuntime: AskRuntime,
): unknown {
  if (trigger.rawBodyUrl !== undefined) return { raw_body_url: trigger.rawBodyUrl };
  if (text === '') return undefined;
  const contentType = trigger.headers['content-type'] ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return jsonOrText(text);
  if (mediaType === 'application/x-www-form-urlencoded') return parseForm(content, text, charset);
  if (mediaType === 'multipart/form-data') {
    return parseMultipart(content, contentType, text, askRuntime);
  }
  return text;
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
function parseForm(content: Buffer, text: string, charset: string | undefined): unknown {
  if (/^\s*[[{]/.test(text) && typeof jsonOrText(text) === 'object') return text;
  return formFields(content, text, charset);
}

/** Text fields become strings; a file becomes `{url, filename, mimetype}`, which can be fetched within half an hour. */
async function parseMultipart(
  content: Buffer,
  contentType: string,
  text: string,
  askRuntime: AskRuntime,
): Promise<unknown> {
  const parts = readMultipart(content, contentType);
  if (parts === undefined) return text;
  const entries: [string, unknown][] = [];
  for (const part of parts) {
    const { name, filename } = part;
    entries.push([
      name,
      filename === undefined ? part.text : await fileOf(part, filename, askRuntime),
    ]);
  }
  return fieldsOf(entries);
}

async function fileOf(
  { contentType, content: bytes }: FormPart,
  filename: string,
  askRuntime: AskRuntime,
): Promise<object> {
  const content = new Uint8Array(bytes);
  const url = await askRuntime({ of: 'file', filename, contentType, content });
  return { url, filename, mimetype: contentType };
}
