/**
 * `tests/<name>.test.yaml` beside `workflow.yaml`: an event, the results that replace steps and servers, and the
 * expected outcome (pure).
 */
import { z } from 'zod';
import { anyMapping, archive, mapping, type ReadTest, readTestText } from './test-text.ts';

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
  requests: archive,
  expect: expectation,
});

export type TestInFile = z.output<typeof testSchema>;

/** @returns the test, or what is wrong with the text, in its order */
export function readTest(text: string): ReadTest<TestInFile> {
  return readTestText(text, testSchema);
}
