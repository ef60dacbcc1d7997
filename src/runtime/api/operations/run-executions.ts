/** Executions that a person starts: by hand, once more, from the middle, and as a test. */
import type { ApiServices } from './api-services.ts';
import { join } from 'node:path';
import type { Parsed, Result, WholeExecution } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { Trigger } from '../../../protocol/host.ts';
import { executionPrefix } from '../../../protocol/ids.ts';
import type {
  WorkflowDeploymentRecord,
  WorkflowRecord,
} from '../../store/configuration/workflows.ts';
import type { NewJournal, Pin } from '../../store/history/executions.ts';
import { emailBytes, emailEvent, type KeepFile } from '../../workflows/email/email-event.ts';
import { failedStep, pinsBeside, replayFrom } from '../../workflows/executions/replay.ts';
import { readPins } from '../../workflows/lifecycle/pins.ts';
import { pathOfStep } from '../../workflows/executions/step-path.ts';
import { findTestable, findWorkflow } from './find-workflow.ts';
import type { Intake } from '../../events/intake.ts';
import { goOn, isTest } from './go-on.ts';
import type { CallContext, Handlers } from './operations.ts';
import { answerFromExecution, type DryTestParts, testMode } from './dry-tests.ts';
import { Outgoing } from '../../workflows/tests/outgoing.ts';
import type { RecordingServer } from '../../components/recordings/recording-server.ts';
import { findExecution, showWhole, type ShowExecutionParts } from './show-execution.ts';
import { waitForEnd, type WaitParts } from './wait-for-end.ts';
import type { BaseServices } from '../../base/services.ts';

type RunHandlers = Pick<Handlers, 'executions.start' | 'executions.test' | 'executions.replay'>;

export interface RunExecutionParts
  extends
    ShowExecutionParts,
    WaitParts,
    DryTestParts,
    Pick<BaseServices, 'now'>,
    Pick<ApiServices, 'executions' | 'bring' | 'workflows' | 'debugging'> {
  readonly store: ShowExecutionParts['store'] & DryTestParts['store'];
  readonly intake: Intake;
  readonly keepFile: KeepFile;
}

interface Incoming {
  readonly cause: 'manual' | 'replay';
  readonly trigger: Trigger;
  readonly replayOf?: number | undefined;
  readonly journal?: NewJournal | undefined;
}

const nothing: Trigger = { kind: 'event', json: '{}' };

export function runExecutionHandlers(parts: RunExecutionParts): RunHandlers {
  const { store, now } = parts;
  return {
    'executions.start': async (params, { signal }) => {
      const { event, email, wait, from_step: step, execution } = params;
      const workflow = findWorkflow(store, params.id);
      const deployment = deploymentOf(parts, workflow.deploymentId);
      if (email !== undefined && event !== undefined) {
        throw new WeirError('bad_input', 'Give an event or an e-mail, not both.');
      }
      const given =
        email === undefined ? eventOf(event) : await emailTrigger(parts, workflow, email);
      if (step === undefined) {
        if (execution !== undefined) {
          const message = '"execution" is what "from_step" goes on from: name the step.';
          throw new WeirError('bad_input', message);
        }
        const { n, ended } = await begin(parts, workflow.id, {
          cause: 'manual',
          trigger: given ?? nothing,
        });
        return shown(parts, n, wait, ended, signal);
      }
      const from = await goOn(parts, {
        workflowId: workflow.id,
        deployment,
        step,
        execution: await executionOf(parts, workflow.id, execution),
        fromTests: false,
      });
      const { n, ended } = await begin(parts, workflow.id, {
        cause: 'manual',
        trigger: given ?? from.trigger ?? nothing,
        replayOf: from.execution,
        journal: from.journal,
      });
      return shown(parts, n, wait, ended, signal);
    },

    'executions.test': runTest(parts),

    'executions.replay': async (params, { signal }) => {
      const { id, wait, props, as_deployed: asDeployed } = params;
      const record = await findExecution(parts, id);
      const step = await firstStepOf(parts, record.n, params);
      const trigger = await store.invocations.trigger(record.n);
      if (trigger === undefined) {
        throw new WeirError('conflict', `What started ${id} is not kept: it cannot be replayed.`);
      }
      if (props !== undefined && step === undefined) {
        throw new WeirError('bad_input', '"props" are those of the step in "from_step": name it.');
      }
      const state = await store.executions.state(record.n);
      const fromTest = state !== undefined && state.test !== null;
      if (fromTest && (step !== undefined || asDeployed === true)) throw isTest(record.n);
      const { deploymentId } = findWorkflow(store, record.emitterId);
      const deployment = deploymentOf(
        parts,
        asDeployed === true ? (state?.deploymentId ?? '') : deploymentId,
        id,
      );
      const journal =
        step === undefined
          ? asDeployed === true
            ? { deploymentId: deployment.id, steps: [] }
            : undefined
          : replayFrom(deployment, await store.executions.steps(record.n), {
              id,
              path: pathOfStep(deployment.definition.steps, step),
              ...(props !== undefined && { props, name: String(now()) }),
            });
      const incoming = { cause: 'replay', trigger, replayOf: record.n, journal } as const;
      const { n, ended } = await begin(parts, record.emitterId, incoming);
      return shown(parts, n, wait, ended, signal);
    },
  };
}

/** Runs the files of a workflow as a test. */
export type RunTest = (
  params: Parsed<'executions.test'>,
  context: CallContext,
  /** Is called when its code is ready, with what runs; returns where all its HTTP requests go instead of to their hosts. */
  prepared?: (deployment: WorkflowDeploymentRecord) => Promise<string> | undefined,
) => Promise<Result<'executions.test'>>;

export function runTest(parts: RunExecutionParts): RunTest {
  const { store, workflows } = parts;
  return async (params, context, whenPrepared) => {
    const { workflow_path: path, id, install, wait } = params;
    if ((path === undefined) === (id === undefined)) {
      throw new WeirError('bad_input', 'Give "workflow_path", or the "id" of a workflow.');
    }
    const workflow_path = path ?? findTestable(store, id ?? '').path;
    const prepared = await workflows.prepareTest({ workflow_path, install }, context);
    const { deployment, folder, warnings } = prepared;
    const { workflowId, definition } = deployment;
    let begun: Begun;
    let letGo: (() => void) | undefined;
    let recording: RecordingServer | undefined;
    const mode = await testMode(parts, workflowId, params);
    const outgoing = new Outgoing({ mode, dataStores: store.dataStores, now: parts.now });
    try {
      // The recording that answers, and the person with the debugger, are on this node.
      letGo = await parts.bring?.(workflowId);
      if (params.debug === true) {
        const target = { sourceId: workflowId, path: join(folder, 'workflow.yaml') };
        parts.debugging.start(target, context.connection);
      }
      const requestsTo = await whenPrepared?.(deployment);
      const pins = await readPins(folder, definition.steps, {
        pins: params.pins ?? {},
        useDefault: params.default_pins ?? true,
      });
      const test = { deployment, step: params.step, pins };
      const execution = await executionOf(parts, workflowId, params.execution);
      const incoming = await testOf(parts, test, execution, eventOf(params.event));
      if (mode !== 'real' && requestsTo === undefined) {
        recording = await answerFromExecution(parts, deployment, incoming.replayOf, outgoing);
      }
      const url = requestsTo ?? recording?.url;
      if (url !== undefined) outgoing.answerFrom(url);
      workflows.setOutgoing(deployment.id, outgoing);
      begun = await begin(parts, workflowId, incoming);
      parts.testReports.set(begun.n, outgoing);
    } catch (error) {
      await recording?.close();
      await workflows.endTest(deployment.id);
      throw error;
    } finally {
      letGo?.();
    }
    void begun.ended.then(() => recording?.close());
    const whole = await shown(parts, begun.n, wait, begun.ended, context.signal);
    return { ...whole, warnings: [...warnings] };
  };
}

/**
 * The step that a replay begins with; undefined for the trigger.
 * @throws WeirError `bad_input` for a step beside `from_failed`, `conflict` where no step has failed
 */
async function firstStepOf(
  { store }: ShowExecutionParts,
  n: number,
  { id, from_step: step, from_failed: fromFailed }: Parsed<'executions.replay'>,
): Promise<string | undefined> {
  if (fromFailed !== true) return step;
  if (step !== undefined) {
    throw new WeirError('bad_input', 'Give "from_step" or "from_failed", not both.');
  }
  const failed = failedStep(await store.executions.steps(n));
  if (failed !== undefined) return failed;
  throw new WeirError('conflict', `No step of ${id} has failed: replay it from its trigger.`);
}

interface Begun {
  readonly n: number;
  /** It has ended, or is paused. */
  readonly ended: Promise<void>;
}

/** Resolves when it is on disk. */
async function begin(
  { intake }: Pick<RunExecutionParts, 'intake'>,
  workflowId: string,
  incoming: Incoming,
): Promise<Begun> {
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const caller = {
    ended: over,
    paused: over,
    failed: over,
    unanswered: (why: 'ended' | 'paused' | 'stopping') => {
      if (why === 'stopping') over();
    },
  };
  const { n, durable } = intake.accept(workflowId, { ...incoming, caller });
  await durable;
  return { n, ended };
}

async function shown(
  parts: RunExecutionParts,
  n: number,
  wait: boolean | undefined,
  ended: Promise<void>,
  signal: AbortSignal,
): Promise<WholeExecution> {
  if (wait === true) {
    const told = new AbortController();
    // An execution at another node is known only by its rows.
    await Promise.race([ended, waitForEnd(parts, n, AbortSignal.any([signal, told.signal]))]);
    told.abort();
  }
  return showWhole(parts, n);
}

function eventOf(event: unknown): Trigger | undefined {
  return event === undefined ? undefined : { kind: 'event', json: JSON.stringify(event) };
}

/** @throws WeirError `bad_input` for a workflow without such a trigger, and for what is no message */
async function emailTrigger(
  { store, keepFile }: RunExecutionParts,
  { name, deploymentId }: WorkflowRecord,
  email: string,
): Promise<Trigger> {
  const triggers = store.workflows.deployment(deploymentId)?.definition.triggers ?? [];
  const trigger = triggers.find(({ type }) => type === 'email');
  if (trigger?.type !== 'email') {
    throw new WeirError(
      'bad_input',
      `${name} has no e-mail trigger: add "- uses: email" to "triggers" in its workflow.yaml and deploy it.`,
    );
  }
  const event = await emailEvent(emailBytes(email), keepFile);
  return {
    kind: 'event',
    json: JSON.stringify(event),
    ...(trigger.id !== undefined && { emitterId: trigger.id }),
  };
}

/** @throws WeirError `not_found`, `bad_input` for one of another workflow */
async function executionOf(
  parts: ShowExecutionParts,
  workflowId: string,
  id: string | undefined,
): Promise<number | undefined> {
  if (id === undefined) return undefined;
  const { n, emitterId } = await findExecution(parts, id);
  if (emitterId === workflowId) return n;
  throw new WeirError('bad_input', `${id} is an execution of another workflow (${emitterId}).`);
}

interface Test {
  readonly deployment: WorkflowDeploymentRecord;
  /** The only one that runs. */
  readonly step: string | undefined;
  readonly pins: Readonly<Record<string, Pin>>;
}

async function testOf(
  parts: RunExecutionParts,
  { deployment, step, pins }: Test,
  execution: number | undefined,
  event: Trigger | undefined,
): Promise<Incoming> {
  if (step === undefined) {
    const stored = execution === undefined ? undefined : await triggerOf(parts, execution);
    return {
      cause: 'manual',
      trigger: event ?? stored ?? nothing,
      replayOf: execution,
      journal: { deploymentId: deployment.id, steps: [], test: { pins } },
    };
  }
  const { workflowId } = deployment;
  const from = await goOn(parts, {
    workflowId,
    deployment,
    step,
    execution,
    pins,
    fromTests: true,
  });
  return {
    cause: 'manual',
    trigger: event ?? from.trigger ?? nothing,
    replayOf: from.execution,
    journal: { ...from.journal, test: { only: from.path, pins: pinsBeside(from.path, pins) } },
  };
}

async function triggerOf({ store }: ShowExecutionParts, n: number): Promise<Trigger> {
  const trigger = await store.invocations.trigger(n);
  if (trigger !== undefined) return trigger;
  throw new WeirError('conflict', `What started ${executionPrefix}${n} is not kept.`);
}

/** @param of the execution that ran with it, for the message */
function deploymentOf(
  { store }: ShowExecutionParts,
  id: string,
  of?: string,
): WorkflowDeploymentRecord {
  const found = store.workflows.deployment(id);
  if (found !== undefined) return found;
  throw new WeirError(
    'conflict',
    of === undefined || id === ''
      ? `${of ?? 'The workflow'} has no deployment.`
      : `The deployment ${id} that ${of} ran with is not kept any more: only the newest ten are.`,
  );
}
