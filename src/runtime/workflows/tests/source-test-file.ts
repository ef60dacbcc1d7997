/** `tests/<name>.test.yaml` beside a source: an event, what the source has, and what it emits (pure). */
import { z } from 'zod';
import { anyMapping, archive, mapping, type ReadTest, readTestText } from './test-text.ts';

const contents = z.record(
  z.string(),
  anyMapping('a mapping of keys to values'),
  'must be a mapping of the names of db props',
);

const sourceTestSchema = mapping({
  name: z.string('must be text').optional(),
  source: z.string('must be the path of the source, from this file on').min(1),
  props: anyMapping('a mapping of the names of props').optional(),
  db: contents.optional(),
  event: z.unknown().optional(),
  requests: archive,
  expect: mapping({
    status: z.enum(['succeeded', 'failed'], 'must be one of "succeeded", "failed"').optional(),
    error: z.string('must be text').optional(),
    emits: z
      .array(
        anyMapping('a mapping of what was emitted: event, id, name, summary, ts'),
        'must be a list',
      )
      .optional(),
    db: contents.optional(),
    response: mapping({
      status: z.number('must be a number').optional(),
      headers: anyMapping('a mapping of names to values').optional(),
      body: z.unknown().optional(),
    }).optional(),
  }),
});

export type SourceTestInFile = z.output<typeof sourceTestSchema>;

/** @returns the test, or what is wrong with the text, in its order */
export function readSourceTest(text: string): ReadTest<SourceTestInFile> {
  return readTestText(text, sourceTestSchema);
}
