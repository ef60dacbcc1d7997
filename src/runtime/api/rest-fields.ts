/** `include=a,b` and `exclude=a,b`: which fields of the answer are wanted (pure; P16.7). */

import * as z from 'zod';
import type { OperationName } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { catalogue } from '../../protocol/schemas/catalogue.ts';

export interface Fields {
  readonly include?: unknown;
  readonly exclude?: unknown;
}

/** Applies to the object, or to each object of a list. */
export function selectFields(data: unknown, fields: Fields): unknown {
  const included = names(fields.include);
  const excluded = names(fields.exclude);
  if (included.size === 0 && excluded.size === 0) return data;
  const wanted = (name: string): boolean =>
    (included.size === 0 || included.has(name)) && !excluded.has(name);
  const select = (item: unknown): unknown =>
    typeof item === 'object' && item !== null
      ? Object.fromEntries(Object.entries(item).filter(([name]) => wanted(name)))
      : item;
  return Array.isArray(data) ? data.map(select) : select(data);
}

/** @throws WeirError `bad_input` for a field that the answer never has. @param known undefined: any may be there */
export function requireFields(fields: Fields, known: ReadonlySet<string> | undefined): void {
  if (known === undefined) return;
  for (const parameter of ['include', 'exclude'] as const) {
    const unknown = [...names(fields[parameter])].find((name) => !known.has(name));
    if (unknown === undefined) continue;
    throw new WeirError(
      'bad_input',
      `${parameter} names "${unknown}", which is not a field of the answer. It has: ${[...known].join(', ')}.`,
    );
  }
}

/** The fields of an operation's answer, or of the items of its list; undefined when they are not fixed. */
export function fieldsOf(name: OperationName): ReadonlySet<string> | undefined {
  const { output } = catalogue[name];
  const page = shapeOf(output)?.['data'];
  const item = page instanceof z.ZodArray ? shapeOf(page.element) : shapeOf(output);
  const known = new Set(Object.keys(item ?? {}));
  return known.size === 0 ? undefined : known;
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  return schema instanceof z.ZodObject ? schema.shape : undefined;
}

function names(list: unknown): Set<string> {
  if (typeof list !== 'string') return new Set();
  return new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
}
