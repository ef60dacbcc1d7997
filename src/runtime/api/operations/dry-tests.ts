/** Dry runs of the files of a workflow: which tests are, and where their requests are answered from. */
import type { Parsed } from '../../../protocol/catalogue.ts';
import { joinedMask, type Mask } from '../../../protocol/mask.ts';
import type { OutgoingRequest } from '../../../protocol/outgoing-request.ts';
import { heldBackAdvice, heldBackHeader } from '../../../protocol/run-mode.ts';
import type { Environment } from '../../accounts/environment/environment.ts';
import { RecordedAnswers } from '../../components/recordings/recorded-answers.ts';
import {
  recordingServer,
  type RecordingServer,
} from '../../components/recordings/recording-server.ts';
import { shareableRequest } from '../../components/recordings/shareable-request.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Outgoing, TestMode } from '../../workflows/tests/outgoing.ts';
import type { ApiServices } from './api-services.ts';

export interface DryTestParts
  extends UsesStore<'settings' | 'executions' | 'dataStores'>, Pick<ApiServices, 'testReports'> {
  readonly environment: Pick<Environment, 'mask'>;
  /** Hides the values of the accounts that the steps of a deployment use. */
  readonly accountMask: (deployment: WorkflowDeploymentRecord) => Mask;
}

/** Key of the choice that a person has made for the tests of a workflow. */
const choiceOf = (workflowId: string): string => `testMode.${workflowId}`;

/** Returns how a test is run, and remembers the mode if that is asked for. */
export async function testMode(
  { store: { settings } }: Pick<DryTestParts, 'store'>,
  workflowId: string,
  { mode = 'dry', remember }: Pick<Parsed<'executions.test'>, 'mode' | 'remember'>,
): Promise<TestMode> {
  if (mode !== 'ask') {
    if (remember === true) await settings.set(choiceOf(workflowId), mode);
    return mode;
  }
  const chosen = settings.get(choiceOf(workflowId));
  return chosen === 'real' || chosen === 'dry' ? chosen : 'reads';
}

/**
 * Answers the requests of a dry run with the answers that an execution recorded.
 * @param execution its number; without one nothing is recorded
 */
export async function answerFromExecution(
  { store, environment, accountMask }: DryTestParts,
  deployment: WorkflowDeploymentRecord,
  execution: number | undefined,
  outgoing: Outgoing,
): Promise<RecordingServer> {
  const mask = joinedMask([accountMask(deployment), environment.mask]);
  const records = execution === undefined ? [] : await store.executions.requests(execution);
  const recorded = records
    .flatMap(({ requests }) => requests)
    .filter((request) => !wasHeldBack(request))
    // Asked and recorded are compared with the same things taken out; the answer stays as it came.
    .map((request) => ({ ...shareableRequest(request, mask), response: request.response }));
  return recordingServer(
    new RecordedAnswers(recorded),
    (asked) => shareableRequest(asked, mask),
    ({ message }) => outgoing.holdBack(`${message} ${heldBackAdvice}`),
  );
}

/** By an earlier dry run: that is not what its server answers. */
function wasHeldBack({ response }: OutgoingRequest): boolean {
  return response?.headers.some(([name]) => name === heldBackHeader) === true;
}
