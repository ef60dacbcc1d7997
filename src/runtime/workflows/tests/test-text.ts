/** The text of a test file, read by a schema with a diagnostic for each mistake (pure). */
import { z } from 'zod';
import type { Diagnostic } from '../../../protocol/workflow.ts';
import { placeOf, yamlValues, type Path } from '../../../workflow-file/yaml-values.ts';
import { faultsOf } from '../file/issues.ts';
import { textPositions } from '../file/positions.ts';
import { isRecord } from '../../../protocol/record.ts';
import { matcherFault } from './compare.ts';

export const anyMapping = (what: string) => z.record(z.string(), z.unknown(), `must be ${what}`);

/** The message about unknown keys is the known ones: `issues.ts` makes a sentence for each. */
export function mapping<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? Object.keys(shape).join(' ')
        : 'must be a mapping of keys to values',
  });
}

/** The archive that answers requests, beside the test. */
export const archive = z
  .string('must be the name of an HTTP Archive beside this file, such as order.har')
  .regex(
    /^[^/\\]+\.har$/,
    'must be the name of an HTTP Archive beside this file, such as order.har',
  )
  .optional();

export type ReadTest<T> = { readonly test: T } | { readonly wrong: readonly Diagnostic[] };

/** @returns the test, or what is wrong with the text, in its order */
export function readTestText<T extends z.ZodType>(text: string, schema: T): ReadTest<z.output<T>> {
  const positions = textPositions(text);
  const { root, problems } = yamlValues(text, '"expect" at least');
  const found = [...problems];
  if (root !== undefined) {
    const { error } = schema.safeParse(root.value);
    for (const { path, message, ofKey } of faultsOf(error?.issues ?? [], root.value)) {
      const place = placeOf(root.at, path);
      const span = ofKey && place.key !== undefined ? place.key : place.span;
      found.push({ severity: 'error', message, span });
    }
    if (isRecord(root.value)) {
      for (const { path, message } of matcherFaults(root.value['expect'], ['expect'])) {
        found.push({ severity: 'error', message, span: placeOf(root.at, path).span });
      }
    }
  }
  const inOrder = found.toSorted((a, b) => a.span.start - b.span.start);
  const wrong = inOrder.map(({ message, span }) => {
    const end = positions.at(span.end);
    const place = { ...positions.at(span.start), endLine: end.line, endColumn: end.column };
    return { severity: 'error' as const, message, ...place };
  });
  if (root === undefined || wrong.length > 0) return { wrong };
  return { test: root.value as z.output<T> };
}

function* matcherFaults(
  value: unknown,
  path: Path,
): Generator<{ readonly path: Path; readonly message: string }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* matcherFaults(item, [...path, index]);
  }
  if (!isRecord(value)) return;
  const fault = matcherFault(value);
  if (fault !== undefined) yield { path, message: `${fault}.` };
  else for (const [key, item] of Object.entries(value)) yield* matcherFaults(item, [...path, key]);
}
