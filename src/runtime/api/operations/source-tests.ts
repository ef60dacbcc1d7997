/** Tests of sources: an event in, what it emits and its db out; nothing is kept. Only what saves one sends requests. */
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Parsed } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { HostConfiguration, Trigger } from '../../../protocol/host.ts';
import { eventOf } from '../../../protocol/event-of-trigger.ts';
import { timerEvent } from '../../../protocol/timer-event.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import type { Mask } from '../../../protocol/mask.ts';
import { withoutValue, withValue } from '../../../workflow-file/edit.ts';
import { dryRun, type DryRunOptions } from '../../sources/one-off-runs/dry-run.ts';
import { keptRequests } from '../../components/recordings/kept-requests.ts';
import { secretsMask } from '../../components/recordings/run-secrets.ts';
import { shareableRequest } from '../../components/recordings/shareable-request.ts';
import type { OutgoingRequest } from '../../../protocol/outgoing-request.ts';
import { presentProps } from '../../components/props/present.ts';
import { differences } from '../../workflows/tests/compare.ts';
import { sourceTestOf } from '../../workflows/tests/save-source-test.ts';
import { expectable } from '../../workflows/tests/save-test.ts';
import {
  type DbContents,
  type SourceOutcome,
  sourceOutcomeOf,
  withoutTimes,
} from '../../workflows/tests/source-outcome.ts';
import { readSourceTest, type SourceTestInFile } from '../../workflows/tests/source-test-file.ts';
import { testTrigger } from '../../workflows/tests/test-trigger.ts';
import type { CallContext } from './operations.ts';
import { presentDryRun } from './present-dry-run.ts';
import { presentTrigger } from './present-trigger.ts';
import { archiveOf, openRecording } from './recorded-requests.ts';
import { received, type ReceivedStore } from './replay.ts';
import { findSource } from './show-source.ts';
import {
  type RanTest,
  refuseExisting,
  testFileIn,
  testIn,
  type TestToWrite,
} from './test-files.ts';

export interface SourceTestParts extends DryRunOptions {
  readonly store: DryRunOptions['store'] & ReceivedStore;
  readonly environment: { readonly mask: Mask };
}

export async function runSourceTest(
  parts: SourceTestParts,
  text: string,
  { file, update, install, mode }: Parsed<'tests.run'>,
  context: CallContext,
): Promise<RanTest> {
  const test = testIn(file, readSourceTest(text));
  const recording = await openRecording(parts, file, test, mode);
  const before = (test.db ?? {}) as DbContents;
  const path = resolve(dirname(file), test.source);
  let mask = parts.environment.mask;
  try {
    const requestsTo = await recording?.start();
    const run = await dryRun(
      parts,
      {
        record: undefined,
        component_path: path,
        install,
        configured_props: test.props ?? {},
        trigger: (definition) => testTrigger(test.event, definition),
        db: jsonTexts(before),
        requestsTo,
        configured: (given) => {
          mask = secretsMask({ ...given, environment: parts.environment.mask });
          recording?.hide(mask);
        },
      },
      context,
    );
    // As the test was saved: what differs is shown, and secrets never are.
    const outcome = mask.value(sourceOutcomeOf(presentDryRun(run), before)) as SourceOutcome;
    const found = await differences(test.expect, outcome);
    const brought =
      update === true && found.length > 0
        ? await broughtUp(text, test, expectable(withoutTimes(outcome), mask) as SourceOutcome)
        : text;
    return {
      subject: basename(path),
      name: test.name,
      differences: [
        // A text that cannot be read back is not written.
        ...(brought === text
          ? found
          : await differences(testIn(file, readSourceTest(brought)).expect, outcome)),
        ...(recording?.differences([], run.held) ?? []),
      ],
      brought,
      executionId: null,
    };
  } finally {
    await recording?.close();
  }
}

/**
 * Replaces expected values by the actual ones where they differ; the rest of the file stays. A missing value stays
 * expected, except for the error of a run that succeeded.
 */
async function broughtUp(
  text: string,
  { expect }: SourceTestInFile,
  outcome: SourceOutcome,
): Promise<string> {
  let changed = text;
  const bring = async (path: readonly string[], expected: unknown, got: unknown): Promise<void> => {
    if (got !== undefined && (await differences(expected, got)).length > 0) {
      changed = withValue(changed, ['expect', ...path], got);
    }
  };
  const { response = {}, error, ...others } = expect;
  if (error !== undefined && outcome.error === null) {
    changed = withoutValue(changed, ['expect', 'error']);
  } else if (error !== undefined) await bring(['error'], error, outcome.error);
  for (const [name, expected] of Object.entries(others)) {
    await bring([name], expected, outcome[name as keyof typeof others]);
  }
  for (const [key, expected] of Object.entries(response)) {
    await bring(['response', key], expected, outcome.response?.[key]);
  }
  return changed;
}

/**
 * Runs a source once more, dry, with its db as it is now, and makes a test of what it did.
 *
 * @throws WeirError `conflict` for a source without a file and for a test that is there, `not_found` for a trigger
 * that is not kept
 */
export async function testOfSource(
  parts: SourceTestParts,
  source: string,
  { invocation_id: of, event, name, replace }: Parsed<'tests.save'>,
  context: CallContext,
): Promise<TestToWrite> {
  const record = findSource(parts.store, source);
  const path = parts.instances.get(record.id)?.deployment.path ?? null;
  if (path === null) {
    const message = `${record.name} was deployed from a text: a test needs its file.`;
    throw new WeirError('conflict', message);
  }
  const file = testFileIn(dirname(path), name ?? of ?? record.name);
  // Said before the source runs once more.
  if (replace !== true) await refuseExisting(file);
  const trigger: Trigger =
    of === undefined
      ? { kind: 'event', json: JSON.stringify(event ?? {}) }
      : (await received(parts.store, record, of)).trigger;
  let mask = parts.environment.mask;
  const run = await dryRun(
    parts,
    {
      record,
      component_path: path,
      configured_props: undefined,
      trigger,
      recordsRequests: true,
      configured: (given) => {
        mask = secretsMask({ ...given, environment: parts.environment.mask });
      },
    },
    context,
  );
  const kept = keptRequests(run.requests ?? [], [mask]);
  const requests = kept === null ? [] : (JSON.parse(kept) as OutgoingRequest[]);
  const recorded = requests.map((request) => ({ request: shareableRequest(request, mask) }));
  const before = values(run.dbBefore);
  const made = sourceTestOf(
    {
      source: relative(dirname(file), path).split(sep).join('/'),
      props: presentProps(record.definition, record.configuredProps, {}),
      db: before,
      event: eventGiven(trigger),
      archive: recorded.length === 0 ? undefined : basename(archiveOf(file)),
      outcome: sourceOutcomeOf(presentDryRun(run), before),
    },
    mask,
  );
  return { file, recorded, ...made };
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
