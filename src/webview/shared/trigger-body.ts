/** What a trigger was received with, as the value that the component gets (pure). */
import type { StoredTrigger } from '../../protocol/catalogue.ts';
import { own } from '../../protocol/own.ts';
import { startTree, type TreeState } from './json-rows.ts';

/** The value of a trigger that is shown as a tree; null where the component gets a text, or nothing. */
export function bodyOf(trigger: StoredTrigger | null): TreeState | null {
  if (trigger?.kind === 'event') return startTree(trigger.event);
  if (trigger?.kind !== 'http' || trigger.body_encoding !== 'utf8') return null;
  const value = parsedBody(trigger.headers['content-type'] ?? '', trigger.body);
  return typeof value === 'object' && value !== null ? startTree(value) : null;
}

/** As the component's process parses it (P7.8 to P7.13), but for uploaded files, which are shown as received. */
function parsedBody(contentType: string, text: string): unknown {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return jsonOrText(text);
  if (mediaType !== 'application/x-www-form-urlencoded' || text === '') return text;
  // `curl -d '{…}'` declares its body a form: such a body stays text (P7.10).
  const isJson = /^\s*[[{]/.test(text) && typeof jsonOrText(text) === 'object';
  return isJson ? text : formFields(text);
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return text;
  }
}

/** A field that comes several times is a list. */
function formFields(text: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = own(fields, name);
    const next =
      before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
    Object.defineProperty(fields, name, {
      value: next,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return fields;
}
