/** A test made of an execution (pure). */
import { stringify } from 'yaml';
import type { WholeExecution } from '../../../protocol/catalogue.ts';
import { eventOf } from '../../../protocol/event-of-trigger.ts';
import { outcomeOf } from './outcome.ts';

/**
 * The text of a test that expects what an execution came to.
 * @param pinned names of steps whose results stand in for them
 */
export function testText(execution: WholeExecution, pinned: readonly string[]): string {
  const { status, error, steps, response } = outcomeOf(execution);
  const isPinned = new Set(pinned);
  const of = (wanted: boolean): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(steps)
        .filter(([name]) => isPinned.has(name) === wanted)
        .map(([name, { $return_value: returned, ...exports }]) => [
          name,
          // Of a step that returned nothing there is nothing to expect.
          { ...exports, ...((returned ?? undefined) !== undefined && { $return_value: returned }) },
        ]),
    );
  const { status: answered, body } = response ?? {};
  const head = `# Made of ${execution.id}. Only what stands under "expect" is compared: remove what does not matter.
# {$any: true} is any value, {$type: string} any of a type, {$match: "^a"} a text by a pattern.
`;
  const value = {
    event: eventOf(execution.trigger) ?? {},
    ...(pinned.length > 0 && { pins: of(true) }),
    expect: {
      status,
      ...(error !== null && { error }),
      steps: of(false),
      ...(response !== null && { response: { status: answered, body } }),
    },
  };
  return head + stringify(value, { lineWidth: 0 });
}
