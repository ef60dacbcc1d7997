/** A test made of a run of a source (pure). */
import { stringify } from 'yaml';
import type { Mask } from '../../../protocol/mask.ts';
import { removed } from '../../../protocol/secret-shapes.ts';
import { shareable, shareableEvent } from '../../components/recordings/shareable.ts';
import { isRecord } from '../../../protocol/record.ts';
import { expectable } from './save-test.ts';
import { type DbContents, type SourceOutcome, withoutTimes } from './source-outcome.ts';

export interface SavedSourceTest {
  readonly text: string;
  /** Where a secret was removed from the test's input, such as `event.headers.authorization`. */
  readonly hidden: readonly string[];
}

export interface RunOfSource {
  /** From the test on, with forward slashes. */
  readonly source: string;
  /** As replies show them: secrets as `{secret: true}`. */
  readonly props: Readonly<Record<string, unknown>>;
  /** When it began. */
  readonly db: DbContents;
  /** The argument of `run`. */
  readonly event: unknown;
  /** Name of the file with what its requests are answered. */
  readonly archive: string | undefined;
  readonly outcome: SourceOutcome;
}

/**
 * A test that expects what a source did, without credentials. A secret prop gets a dummy value, because the archive
 * answers its requests.
 */
export function sourceTestOf(run: RunOfSource, mask: Mask): SavedSourceTest {
  const { source, archive, outcome } = run;
  const event = shareableEvent(run.event, mask);
  const props = shareable(ownProps(run.props), 'props', mask);
  const before = shareable(run.db, 'db', mask);
  const { status, error, emits, db, response } = withoutTimes(outcome);
  const expected = expectable(
    {
      status,
      ...(error !== null && { error }),
      emits,
      ...(Object.keys(db).length > 0 && { db }),
      ...(response !== null && {
        response: { status: response['status'], body: response['body'] },
      }),
    },
    mask,
  );
  const hidden = [...event.hidden, ...props.hidden, ...before.hidden];
  const value = {
    source,
    ...(Object.keys(props.value as object).length > 0 && { props: props.value }),
    ...(Object.keys(run.db).length > 0 && { db: before.value }),
    event: event.value,
    ...(archive !== undefined && { requests: archive }),
    expect: expected,
  };
  return { text: head(hidden) + stringify(value, { lineWidth: 0 }), hidden };
}

/** Without accounts, which each machine has of its own, and without what the runtime gives: endpoints and timers. */
function ownProps(props: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(props).flatMap(([name, value]) => {
      if (!isRecord(value)) return [[name, value] as const];
      if (value['secret'] === true) return [[name, removed] as const];
      const isGiven =
        'endpoint_url' in value || 'interval_seconds' in value || 'authProvisionId' in value;
      return isGiven ? [] : [[name, value] as const];
    }),
  );
}

function head(hidden: readonly string[]): string {
  const missing =
    hidden.length === 0
      ? ''
      : `# Secrets were taken out of ${hidden.join(', ')}: the source reads what stands there now.\n`;
  return `# Only what stands under "expect" is compared: remove what does not matter.
# {$any: true} is any value, {$type: string} any of a type, {$match: "^a"} a text by a pattern.
${missing}`;
}
