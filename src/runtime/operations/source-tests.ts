/** Tests of sources: an event in, what it emits and its db out. Each is a dry run, of which nothing is kept. */
import { dirname, relative, resolve, sep } from 'node:path';
import type { Parsed, Result } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { HostConfiguration, Trigger } from '../../protocol/host.ts';
import { eventOf } from '../../protocol/event-of-trigger.ts';
import { timerEvent } from '../../protocol/timer-event.ts';
import { valueOfJson } from '../../protocol/json-text.ts';
import { type Mask, maskOf } from '../../protocol/mask.ts';
import { withValue } from '../../workflow-file/edit.ts';
import { dryRun, type DryRunOptions } from '../one-off-runs/dry-run.ts';
import { accountMask, keptRequests } from '../recordings/kept-requests.ts';
import { shareableRequest } from '../recordings/shareable-request.ts';
import type { RecordedRequest } from '../recordings/har.ts';
import type { OutgoingRequest } from '../../protocol/outgoing-request.ts';
import { presentProps } from '../props/present.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import { differences } from '../tests/compare.ts';
import { expectable } from '../tests/save-test.ts';
import { type SavedSourceTest, sourceTestOf } from '../tests/save-source-test.ts';
import { type DbContents, type SourceOutcome, sourceOutcomeOf } from '../tests/source-outcome.ts';
import type { SourceTestInFile } from '../tests/source-test-file.ts';
import { testTrigger } from '../tests/test-trigger.ts';
import type { CallContext } from './operations.ts';
import { presentDryRun } from './present-dry-run.ts';
import { presentTrigger } from './present-trigger.ts';
import { openRecording } from './recorded-requests.ts';

export interface SourceTestParts extends DryRunOptions {
  readonly environment: { readonly mask: Mask };
}

export interface RanSourceTest {
  readonly differences: Result<'tests.run'>['differences'];
  /** The text with what came, when it was asked for and something differed. */
  readonly brought: string;
}

/** @param file of the test, with its text */
export async function runSourceTest(
  parts: SourceTestParts,
  {
    file,
    text,
    test,
  }: { readonly file: string; readonly text: string; readonly test: SourceTestInFile },
  { update, install }: Pick<Parsed<'tests.run'>, 'update' | 'install'>,
  context: CallContext,
): Promise<RanSourceTest> {
  const recording = await openRecording(parts, file, test);
  const before = (test.db ?? {}) as DbContents;
  try {
    const requestsTo = await recording?.start();
    const run = await dryRun(
      parts,
      {
        record: undefined,
        component_path: resolve(dirname(file), test.source),
        install,
        configured_props: test.props ?? {},
        trigger: (definition) => testTrigger(test.event, definition),
        db: jsonTexts(before),
        requestsTo,
        configured: (accounts) => recording?.hide(accountMask(accounts)),
      },
      context,
    );
    const outcome = sourceOutcomeOf(presentDryRun(run), before);
    const found = differences(test.expect, outcome);
    const brought =
      update === true && found.length > 0
        ? broughtUp(text, test, expectable(outcome, parts.environment.mask) as SourceOutcome)
        : text;
    return {
      brought,
      differences: [...(brought === text ? found : []), ...(recording?.differences([]) ?? [])],
    };
  } finally {
    await recording?.close();
  }
}

/** What is expected and came otherwise, as it came; what else the file says stays. */
function broughtUp(text: string, { expect }: SourceTestInFile, outcome: SourceOutcome): string {
  let changed = text;
  for (const [name, expected] of Object.entries(expect)) {
    const got = outcome[name as keyof SourceOutcome];
    if (differences(expected, got).length > 0) changed = withValue(changed, ['expect', name], got);
  }
  return changed;
}

/**
 * Runs a source once more, dry, and makes a test of what it did.
 * @param file where the test will be
 */
export async function saveSourceTest(
  parts: SourceTestParts,
  record: SourceRecord,
  {
    file,
    archive,
    trigger,
  }: { readonly file: string; readonly archive: string; readonly trigger: Trigger },
  context: CallContext,
): Promise<SavedSourceTest & { readonly recorded: readonly RecordedRequest[] }> {
  const path = parts.instances.get(record.id)?.deployment.path ?? null;
  if (path === null) {
    throw new WeirError(
      'conflict',
      `${record.name} was deployed from a text: a test needs its file.`,
    );
  }
  let accounts: Mask = maskOf({});
  const run = await dryRun(
    parts,
    {
      record,
      component_path: path,
      configured_props: undefined,
      trigger,
      recordsRequests: true,
      configured: (given) => {
        accounts = accountMask(given);
      },
    },
    context,
  );
  const { mask } = parts.environment;
  const kept = keptRequests(run.requests ?? [], [accounts, mask]);
  const requests = kept === null ? [] : (JSON.parse(kept) as OutgoingRequest[]);
  const recorded = requests.map((request) => ({ request: shareableRequest(request, mask) }));
  const before = values(run.dbBefore);
  const saved = sourceTestOf(
    {
      source: posix(relative(dirname(file), path)),
      props: presentProps(record.definition, record.configuredProps, {}),
      db: before,
      event: eventGiven(trigger),
      archive: recorded.length === 0 ? undefined : archive,
      outcome: sourceOutcomeOf(presentDryRun(run), before),
    },
    mask,
  );
  return { ...saved, recorded };
}

function eventGiven(trigger: Trigger): unknown {
  return trigger.kind === 'timer' ? timerEvent(trigger) : eventOf(presentTrigger(trigger));
}

function jsonTexts(contents: DbContents): HostConfiguration['db'] {
  return mapValues(contents, (value) => JSON.stringify(value));
}

function values(db: HostConfiguration['db']): DbContents {
  return mapValues(db, (json) => valueOfJson(json));
}

function mapValues<A, B>(
  contents: Readonly<Record<string, Readonly<Record<string, A>>>>,
  change: (value: A) => B,
): Record<string, Record<string, B>> {
  return Object.fromEntries(
    Object.entries(contents).map(([prop, of]) => [
      prop,
      Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)])),
    ]),
  );
}

function posix(path: string): string {
  return path.split(sep).join('/');
}
