import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { HostResponse } from '../protocol/host.ts';
import { assign, isDictionary } from './authored.ts';
import { plainText } from './text.ts';

/**
 * What `respond()` was given, made a response (P7.27 to P7.31): a status as text is a number, none
 * is 200, undefined headers are left out, an object is JSON.
 * @throws RangeError or TypeError for a status or header that HTTP cannot carry.
 */
export function responseOf(given: unknown): HostResponse {
  const response = isDictionary(given) ? given : {};
  const headers = headersOf(response['headers']);
  const body = bodyOf(response['body']);
  if (body.json && !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')) {
    headers['content-type'] = 'application/json';
  }
  return { status: statusOf(response['status']), headers, body: body.content };
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

function headersOf(given: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!isDictionary(given)) return headers;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const text = Array.isArray(value) ? value.join(', ') : plainText(value);
    validateHeaderName(name);
    validateHeaderValue(name, text);
    assign(headers, name, text);
  }
  return headers;
}

function bodyOf(body: unknown): { content: string | Uint8Array; json: boolean } {
  if (body === undefined || body === null) return { content: '', json: false };
  if (typeof body === 'string') return { content: body, json: false };
  if (body instanceof Uint8Array) return { content: body, json: false };
  if (body instanceof ArrayBuffer) return { content: new Uint8Array(body), json: false };
  if (typeof body === 'object') return { content: JSON.stringify(body), json: true };
  return { content: plainText(body), json: false };
}
