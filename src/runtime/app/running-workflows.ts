/**
 * The parts that run workflows, on either kind of node: the code and processes of their deployments, their executions,
 * and their sends.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Accounts } from '../accounts/accounts.ts';
import type { Components } from '../components/deployments/deployment.ts';
import { accountIds, type Configured } from '../components/props/configured.ts';
import type { Inbox } from '../events/inbox.ts';
import type { Environment } from '../accounts/environment/environment.ts';
import { openStash, removeLegs } from '../server/files/stash.ts';
import type { HostLimits } from '../processes/host.ts';
import { emailSender } from '../workflows/sends/email.ts';
import { httpSender } from '../workflows/sends/http.ts';
import { s3Sender } from '../workflows/sends/s3.ts';
import { Sends } from '../workflows/sends/sends.ts';
import type { WorkflowDeploymentRecord } from '../store/configuration/workflows.ts';
import { resumePrefix } from '../events/triggers/http/resume.ts';
import { Executions } from '../workflows/executions/executions.ts';
import { ExecutionKeys } from '../workflows/executions/keys.ts';
import { WorkflowInstances } from '../workflows/lifecycle/instances.ts';
import { accountsOfStep, accountsOfSteps } from '../workflows/lifecycle/step-accounts.ts';
import { stepConfiguration } from '../workflows/lifecycle/step-configuration.ts';
import { withProps } from '../workflows/lifecycle/step-props.ts';
import { WorkflowKind } from '../workflows/workflow-kind.ts';
import { type RunningSources, waitingBytes } from './running-sources.ts';
import { processLog } from '../sources/process-log.ts';
import type { TokenKeeper } from './token-keeper.ts';
import type { Services } from '../events/services.ts';

export interface RunningWorkflowsOptions extends Services {
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly redirects: Readonly<Record<string, string>>;
  readonly limits: HostLimits;
  /** Starts processes of workflows. */
  readonly components: Pick<Components, 'get' | 'folder' | 'open'>;
  readonly accounts: Accounts;
  readonly tokens: TokenKeeper;
  readonly environment: Environment;
  readonly stashDir: (id: string) => string;
  readonly endpointUrl: (id: string) => string;
  readonly running: Pick<RunningSources, 'planner' | 'timers' | 'probation'>;
  readonly inbox: Inbox;
  /** See `WorkflowKindOptions`. */
  readonly runsHere: (id: string) => boolean;
  /** Somebody follows what happens. */
  readonly isWatched: () => boolean;
  /** The test of this deployment has ended. */
  readonly tested: (deploymentId: string) => void;
}

export interface RunningWorkflows {
  readonly instances: WorkflowInstances;
  readonly executions: Executions;
  readonly keys: ExecutionKeys;
  readonly sends: Sends;
  readonly resumeUrl: (token: string, action: 'resume' | 'cancel') => string;
  readonly accountsOfSteps: (deployment: WorkflowDeploymentRecord) => string[];
}

/** The longest that a leg of an execution takes whose file says nothing of it. */
const usualLegSeconds = 60;

/** Memory limit of a workflow's process, unless its file sets one: it holds the code of all steps. */
const workflowMemoryMb = 512;

/** The folder of the files that all workflows share. @param data absolute path of the data folder */
export function fileStoreIn(data: string): string {
  return join(data, 'file-store');
}

/** The result registers its own cleanup with `closing`. */
export async function createRunningWorkflows(
  options: RunningWorkflowsOptions,
): Promise<RunningWorkflows> {
  const { store, signals, emitters, settings, clock, log, closing, data, limits } = options;
  const { components, accounts, tokens, environment, stashDir, report } = options;
  const legsDir = await openStash(join(data, 'legs'));
  const prepare = {
    accountsOf: (configured: Configured) => accounts.credentialsOf(accountIds(configured)),
    accountsOfApp: (app: string) => accounts.all().filter((account) => account.app === app),
  };
  const filesDir = fileStoreIn(data);
  const ofSteps = (deployment: WorkflowDeploymentRecord): string[] =>
    accountsOfSteps(prepare, store, deployment);

  const instances = new WorkflowInstances({
    store,
    bundleOf: async (hash) => (await components.get(hash))?.bundle,
    openHost: async ({ id, path }, { id: deploymentId, definition }, signal) => {
      const outgoing = instances.outgoing(deploymentId);
      const events = processLog(options, id);
      let pid = 0;
      const host = await components.open(
        { bundle: null, folder: await components.folder(), path: join(path, 'workflow.yaml') },
        {
          sourceId: id,
          signal,
          ...(outgoing !== undefined && {
            dry: outgoing.dry,
            onRequest: (request) => outgoing.onRequest(request),
          }),
          // The time is limited by leg, not by call.
          limits: {
            ...limits,
            memoryMb: definition.settings.memoryMb ?? workflowMemoryMb,
            timeoutMs: Number.MAX_SAFE_INTEGER,
          },
          onLog: (lines) =>
            events.onLog(
              lines.map((line) => ({ ...line, text: environment.mask.text(line.text) })),
            ),
          onEnd: (loss) => {
            events.onEnd(loss);
            void removeLegs(legsDir(id), pid);
          },
        },
      );
      ({ pid } = host);
      return host;
    },
    configuration: (workflowId, task, definition) =>
      stepConfiguration(
        { prepare, emitters, accounts, stashDir, legsDir, filesDir, environment },
        workflowId,
        task,
        definition,
      ),
    idleMs: settings['run.idleSeconds'] * 1000,
    idleProcesses: options.idleProcesses,
    clock,
  });
  signals.on('account', () => instances.reconfigure());
  signals.on('accountDeleted', () => instances.reconfigure());

  const keys = new ExecutionKeys(
    Buffer.from(
      await store.settings.ensure('executionSecret', randomBytes(32).toString('base64')),
      'base64',
    ),
  );
  const resumeUrl = (token: string, action: 'resume' | 'cancel'): string =>
    `${options.endpointUrl(resumePrefix + token)}/${action}`;
  const executions: Executions = new Executions({
    store,
    signals,
    emitters,
    planner: options.running.planner,
    clock,
    log,
    hold: options.hold,
    keys,
    processesOf: (id) => {
      if (environment.refresh()) instances.reconfigure();
      return instances.processes(id);
    },
    codeOf: (deployment) => {
      const ready = instances.ready(deployment);
      if (!tokens.hasAny) return ready;
      const legMs = (deployment.definition.settings.timeoutSeconds ?? usualLegSeconds) * 1000;
      const fresh = tokens.refreshExpiring(ofSteps(deployment), legMs);
      return fresh === undefined ? ready : Promise.all([ready, fresh]).then(() => undefined);
    },
    stepCode: (id, task, override) => instances.stepCode(id, task, override),
    refreshExpiring: (deployment, { path, step }, override, ms) => {
      if (!tokens.hasAny) return undefined;
      const other = override?.path === path ? override.props : {};
      const changed = withProps(step, { ...step.props, ...other });
      return tokens.refreshExpiring(accountsOfStep(prepare, store, deployment, changed), ms);
    },
    unauthorized: (deployment) => tokens.unauthorized(ofSteps(deployment)),
    notStored: ({ n, deployment }) => {
      if (deployment !== undefined) instances.forgetExecution(deployment.id, n);
    },
    testWroteDb: (id, writes) => instances.outgoing(id)?.wroteDb(writes),
    resumeUrl,
    mask: (text) => environment.mask.text(text),
    mails: settings['smtp.url'] !== '' && settings['smtp.to'] !== '',
    isWatched: options.isWatched,
    triggered: (runs) => options.inbox.triggered(runs),
    sends: (records) => sends.enqueue(records),
    tested: options.tested,
    waitingBytes,
    probation: options.running.probation,
  });
  const sends = new Sends({
    store,
    emitters,
    clock,
    hold: options.hold,
    senders: {
      http: httpSender(options.redirects),
      email: emailSender({
        smtpUrl: settings['smtp.url'],
        from: settings['smtp.from'],
        to: settings['smtp.to'],
        folder: join(data, 'mails'),
      }),
      s3: s3Sender({
        endpoint: settings['s3.endpoint'],
        credentials: () => {
          const account = accounts.all().find(({ app }) => app === 'aws');
          return account && accounts.credentials(account.id);
        },
        now: () => clock.now(),
      }),
    },
    report,
  });
  const { timers } = options.running;
  const { kinds, runsHere } = options;
  kinds.add(new WorkflowKind({ store, signals, instances, executions, sends, timers, runsHere }));
  closing.push(() => sends.close());
  closing.push(() => executions.close());
  return { instances, executions, keys, sends, resumeUrl, accountsOfSteps: ofSteps };
}
