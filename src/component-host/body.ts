import type { HttpTrigger } from '../protocol/host.ts';
import type { AskRuntime } from './asks.ts';
import { assign } from './authored.ts';
import { own } from '../protocol/own.ts';

/**
 * A request body as `event.body` (P7.8 to P7.13): JSON and forms are parsed, everything else is the
 * text. What does not parse as what it says it is stays text; an empty body is undefined.
 */
export function parseBody(trigger: HttpTrigger, text: string, ask: AskRuntime): unknown {
  if (trigger.rawBodyUrl !== undefined) return { raw_body_url: trigger.rawBodyUrl };
  if (text === '') return undefined;
  const contentType = trigger.headers['content-type'] ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return parseJson(text);
  if (mediaType === 'application/x-www-form-urlencoded') return parseForm(text);
  if (mediaType === 'multipart/form-data')
    return parseMultipart(trigger.body, contentType, text, ask);
  return text;
}

/** Names and values of a query string; a name given several times becomes an array. */
export function parseQuery(query: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (query === '') return fields;
  for (const [name, value] of new URLSearchParams(query)) add(fields, name, value);
  return fields;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `curl -d '{…}'` says it sends a form: such a body stays the text it is (P7.10). */
function parseForm(text: string): unknown {
  if (/^\s*[[{]/.test(text) && typeof parseJson(text) === 'object') return text;
  return parseQuery(text);
}

/** One string per field; a file is `{url, filename, mimetype}`, to be fetched within half an hour. */
async function parseMultipart(
  body: Uint8Array,
  contentType: string,
  text: string,
  ask: AskRuntime,
): Promise<unknown> {
  const form = await readForm(body, contentType);
  if (form === undefined) return text;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    add(fields, name, typeof value === 'string' ? value : await fileOf(value, ask));
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

async function fileOf(file: File, ask: AskRuntime): Promise<object> {
  const { name, type } = file;
  const content = new Uint8Array(await file.arrayBuffer());
  const url = await ask({ of: 'file', filename: name, contentType: type, content });
  return { url, filename: name, mimetype: type };
}

function add(fields: Record<string, unknown>, name: string, value: unknown): void {
  const before = own(fields, name);
  if (before === undefined) assign(fields, name, value);
  else assign(fields, name, Array.isArray(before) ? [...before, value] : [before, value]);
}
