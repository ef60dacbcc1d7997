/** Combines a request's parameters from path, body and query string (pure). */
import * as z from 'zod';
import { WeirError } from '../../protocol/errors.ts';
import { own } from '../../protocol/own.ts';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import type { OperationName } from '../../protocol/catalogue.ts';

export type Values = Readonly<Record<string, unknown>>;

/** How a parameter is written in a query string: `text` as it is, `json` and `any` as JSON. */
export type Notation = 'text' | 'json' | 'any';

/** The path wins over the body, the body over the query string (our decision). */
export function mergeParams(
  path: Readonly<Record<string, string>>,
  body: Values,
  query: Readonly<Record<string, string>>,
  notations: Readonly<Record<string, Notation>>,
): Values {
  const written = Object.entries(query).map(([name, text]) => [
    name,
    fromText(name, text, own(notations, name) ?? 'text'),
  ]);
  return { ...(Object.fromEntries(written) as Values), ...body, ...path };
}

/** The notation of every parameter of an operation, taken from its schema. */
export function notationsOf(name: OperationName): Record<string, Notation> {
  const schema = z.toJSONSchema(catalogue[name].input, { io: 'input' });
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(properties.map(([key, property]) => [key, notationOf(property)]));
}

function notationOf(property: z.core.JSONSchema._JSONSchema): Notation {
  if (typeof property === 'boolean') return 'any';
  if (property.type === 'object' || property.type === 'array') return 'json';
  return property.type === undefined && property.anyOf === undefined ? 'any' : 'text';
}

function fromText(name: string, text: string, notation: Notation): unknown {
  if (notation === 'text') return text;
  try {
    return JSON.parse(text);
  } catch {
    // A value of any kind may be plain words: `event=hello`.
    if (notation === 'any') return text;
    throw new WeirError('bad_input', `${name} in the query string must be JSON.`);
  }
}

/** A JSON object, or nothing at all. */
export function parseBody(text: string): Values {
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new WeirError('bad_input', `The body is not JSON: ${(error as Error).message}.`);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new WeirError('bad_input', 'The body must be a JSON object.');
  }
  return body as Values;
}
