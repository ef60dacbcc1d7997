/** A request that an app sent, and what a definition names of it (pure). */
import { createHmac } from 'node:crypto';
import type { HttpTrigger } from '../../../protocol/host.ts';
import { own } from '../../../protocol/own.ts';
import { placeholdersIn } from '../../accounts/apps/webhook-schema.ts';

export interface AppRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** As it was received. */
  readonly body: Uint8Array;
  /** The parsed body; undefined if it is neither JSON nor a form. */
  readonly content: unknown;
  readonly secret: string;
}

/** @param formField the field that has the JSON, when the body is a form */
export function readRequest(
  { headers, query, body }: Pick<HttpTrigger, 'headers' | 'query' | 'body'>,
  formField: string | undefined,
  secret: string,
): AppRequest {
  return {
    headers,
    query: new URLSearchParams(query),
    body,
    content: contentOf(headers['content-type'] ?? '', textOf(body), formField),
    secret,
  };
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

function contentOf(type: string, text: string, formField: string | undefined): unknown {
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return parsed(text);
  const form = new URLSearchParams(text);
  const json = formField === undefined ? null : form.get(formField);
  return json === null ? Object.fromEntries(form) : parsed(json);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The most values of one `*`, because a body may have a list of any length. */
const mostOfList = 100;

/** The values at a JSON pointer; several if it has a `*`. */
export function valuesAt(content: unknown, pointer: string): unknown[] {
  const keys = pointer.split('/').slice(1);
  let found = [content];
  for (const key of keys) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    found = found.flatMap((value) => {
      if (typeof value !== 'object' || value === null) return [];
      if (name === '*') return Array.isArray(value) ? value.slice(0, mostOfList) : [];
      const inner: unknown = own(value as Readonly<Record<string, unknown>>, name);
      return inner === undefined ? [] : [inner];
    });
  }
  return found;
}

/** The values of a reference in a definition. */
function valuesOf(request: AppRequest, reference: string): unknown[] {
  const [kind = '', name = ''] = split(reference);
  switch (kind) {
    case 'header':
      return present(own(request.headers, name));
    case 'query':
      return present(request.query.get(name) ?? undefined);
    case 'hmac':
      return textsOf(valuesAt(request.content, name)).map((text) =>
        createHmac('sha256', request.secret).update(text).digest('hex'),
      );
    case 'body':
      return [textOf(request.body)];
    default:
      return valuesAt(request.content, reference);
  }
}

function split(reference: string): string[] {
  const at = reference.indexOf(':');
  if (reference.startsWith('/') || at === -1) return [reference];
  return [reference.slice(0, at), reference.slice(at + 1)];
}

function present(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}

function textsOf(values: readonly unknown[]): string[] {
  return values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [String(value)]
      : [],
  );
}

/** A template with its placeholders filled in: once for each of their values, and not at all if one has none. */
export function expand(request: AppRequest, template: string): string[] {
  let filled: ReadonlyMap<string, string>[] = [new Map()];
  for (const placeholder of new Set(placeholdersIn(template))) {
    const values = textsOf(valuesOf(request, placeholder));
    filled = filled.flatMap((known) =>
      values.map((value) => new Map([...known, [placeholder, value]])),
    );
  }
  // In one pass: what a request says is not read for placeholders.
  return filled.map((known) =>
    template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => known.get(name) ?? ''),
  );
}

export function fits(
  request: AppRequest,
  when: Readonly<Record<string, string | true>> | undefined,
): boolean {
  return Object.entries(when ?? {}).every(([reference, wanted]) => {
    const values = valuesOf(request, reference);
    return wanted === true ? values.length > 0 : textsOf(values).includes(wanted);
  });
}
