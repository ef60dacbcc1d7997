/** `tests/<name>.test.yaml` beside `workflow.yaml`: an event, what stands in for steps and servers, and what is expected (pure). */
import { z } from 'zod';
import type { Diagnostic } from '../../../protocol/workflow.ts';
import { isRecord, placeOf, yamlValues, type Path } from '../../../workflow-file/yaml-values.ts';
import { faultsOf } from '../file/issues.ts';
import { matcherFault } from './compare.ts';
import { textPositions } from '../file/positions.ts';

const anyMapping = (what: string) => z.record(z.string(), z.unknown(), `must be ${what}`);

/** The message about unknown keys is the known ones: `issues.ts` makes a sentence for each. */
function mapping<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? Object.keys(shape).join(' ')
        : 'must be a mapping of keys to values',
  });
}

const expectation = mapping({
  status: z
    .enum(
      ['succeeded', 'failed', 'crashed', 'cancelled', 'timed_out'],
      'must be one of "succeeded", "failed", "crashed", "cancelled", "timed_out"',
    )
    .optional(),
  error: z.string('must be text').optional(),
  steps: z
    .record(
      z.string(),
      anyMapping('a mapping of what the step exports, $return_value among it'),
      'must be a mapping of the names of steps',
    )
    .optional(),
  sends: z
    .array(anyMapping('a mapping of what a step sent'), 'must be a list of what was sent')
    .optional(),
  response: mapping({
    status: z.number('must be a number').optional(),
    headers: anyMapping('a mapping of names to values').optional(),
    body: z.unknown().optional(),
  }).optional(),
});

const testSchema = mapping({
  name: z.string('must be text').optional(),
  event: z.unknown().optional(),
  pins: z
    .record(
      z.string(),
      z.union(
        [z.string(), z.record(z.string(), z.unknown())],
        'must be the name of a pin, or what later steps read of the step',
      ),
      'must be a mapping of the names of steps',
    )
    .optional(),
  requests: z
    .string('must be the name of an HTTP Archive beside this file, such as order.har')
    .regex(
      /^[^/\\]+\.har$/,
      'must be the name of an HTTP Archive beside this file, such as order.har',
    )
    .optional(),
  expect: expectation,
});

export type TestInFile = z.output<typeof testSchema>;

/** @returns the test, or what is wrong with the text, in its order */
export function readTest(
  text: string,
): { readonly test: TestInFile } | { readonly wrong: readonly Diagnostic[] } {
  const positions = textPositions(text);
  const { root, problems } = yamlValues(text, '"expect" at least');
  const found = [...problems];
  if (root !== undefined) {
    const { error } = testSchema.safeParse(root.value);
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
  return { test: root.value as TestInFile };
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
