/** A test made of an execution (pure). */
import { stringify } from 'yaml';
import type { WholeExecution } from '../../../protocol/catalogue.ts';
import { eventOf } from '../../../protocol/event-of-trigger.ts';
import type { Mask } from '../../../protocol/mask.ts';
import { outcomeOf } from './outcome.ts';
import { shareable, shareableEvent } from '../../components/recordings/shareable.ts';

export interface SavedTest {
  readonly text: string;
  /** Where a secret was removed from the test's input, such as `event.headers.authorization`. */
  readonly hidden: readonly string[];
}

/**
 * A test that expects what an execution came to. It lies in the repository, so secrets are taken out: a step that needs
 * one gets it when the test runs, from an environment variable or an account.
 * @param pinned names of steps whose results stand in for them
 * @param archive name of the file with what its requests are answered
 */
export function testOf(
  execution: WholeExecution,
  pinned: readonly string[],
  mask: Mask,
  archive?: string,
): SavedTest {
  const { status, error, steps, sends, response } = outcomeOf(execution);
  const isPinned = new Set(pinned);
  const of = (wanted: boolean): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(steps)
        .filter(([name]) => isPinned.has(name) === wanted)
        .map(([name, { $return_value: returned, ...exports }]) => [
          name,
          // If a step returned nothing, nothing is expected.
          { ...exports, ...((returned ?? undefined) !== undefined && { $return_value: returned }) },
        ]),
    );
  const { status: answered, body } = response ?? {};
  const event = shareableEvent(eventOf(execution.trigger) ?? {}, mask);
  const pins = shareable(of(true), 'pins', mask);
  const expected = expectable(
    {
      status,
      ...(error !== null && { error }),
      steps: of(false),
      ...(sends.length > 0 && { sends }),
      ...(response !== null && { response: { status: answered, body } }),
    },
    mask,
  );
  const hidden = [...event.hidden, ...pins.hidden];
  const value = {
    event: event.value,
    ...(pinned.length > 0 && { pins: pins.value }),
    ...(archive !== undefined && { requests: archive }),
    expect: expected,
  };
  return { text: head(execution.id, hidden) + stringify(value, { lineWidth: 0 }), hidden };
}

/** The expected form of a result: any value where a token was. */
export function expectable(came: unknown, mask: Mask): unknown {
  return shareable(came, 'expect', mask, { $any: true }).value;
}

function head(id: string, hidden: readonly string[]): string {
  const missing =
    hidden.length === 0
      ? ''
      : `# Secrets were taken out of ${hidden.join(', ')}: steps read what stands there now.\n`;
  return `# Made of ${id}. Only what stands under "expect" is compared: remove what does not matter.
# {$any: true} is any value, {$type: string} any of a type, {$match: "^a"} a text by a pattern.
${missing}`;
}
