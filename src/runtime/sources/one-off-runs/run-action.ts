/** An action by itself, outside a workflow: prepared, run once, kept in the store, and its process ended. */
import { WeirError } from '../../../protocol/errors.ts';
import type { ConsoleLine, ThrownError } from '../../../protocol/host.ts';
import type { TaskContext } from '../../components/load.ts';
import type { Origin } from '../../components/origin.ts';
import { prepare, type PreparedComponent, type PrepareOptions } from '../../components/prepare.ts';
import { type Called, callHost } from '../../processes/call-host.ts';
import { append } from '../../processes/outcome.ts';
import { withAccounts } from '../../components/props/allowed-accounts.ts';
import type { Configured } from '../../components/props/configured.ts';
import { presentProps } from '../../components/props/present.ts';
import type { Probation } from '../../events/runs/probation.ts';
import { accountMask } from '../../components/recordings/kept-requests.ts';
import type { ActionRunRecord } from '../../store/history/action-runs.ts';
import type { Store } from '../../store/store.ts';
import { outcomeOf } from './action-outcome.ts';

export interface ActionRequest extends Origin {
  readonly configured_props?: Configured | undefined;
  /** Ids of the only accounts that it may name; all unless given. */
  readonly accounts?: readonly string[] | undefined;
  /** Exports of earlier steps, by step name. */
  readonly steps?: Readonly<Record<string, unknown>> | undefined;
  /** The name of the agent that asks for it, as it calls itself. */
  readonly agent?: string | undefined;
}

export interface CheckActionOptions {
  readonly prepare: PrepareOptions;
  /** Throws `not_found` when one of the accounts these values name does not exist. */
  readonly requireAccounts: (configured: Configured) => void;
}

export interface RunActionOptions extends CheckActionOptions {
  /** Folder for the files of actions. */
  readonly stashDir: string;
  readonly runs: Pick<Store['actionRuns'], 'begin' | 'end'>;
  /** Nothing that a crash cut off counts as alone while an action runs. */
  readonly probation: Pick<Probation, 'beside'>;
  /** Called when the beginning or end of a run is on disk. */
  readonly changed: (run: ActionRunRecord) => void;
}

/** A run of an action, and its number. */
export interface RanAction extends Called {
  readonly n: number;
}

/**
 * Resolves with what it did, also when it threw, ran too long or ended its process: what has begun is kept,
 * cancelled or not. What is refused before is no run.
 * @throws WeirError `bad_component`, `bad_input` with one detail per prop, `component_failed` when
 *   `additionalProps` fails, `not_found` for an account, `cancelled`
 */
export async function runAction(
  options: RunActionOptions,
  request: ActionRequest,
  context: TaskContext,
): Promise<RanAction> {
  const { prepare: parts, runs, changed } = options;
  const logs: ConsoleLine[] = [];
  const { host, definition, configured, deployment } = await prepared(options, request, {
    ...told(context),
    onLog: (lines) => append(logs, lines),
    recordsRequests: true,
  });
  try {
    options.requireAccounts(configured);
    await parts.refreshExpiring(configured);
    const accounts = parts.accountsOf(configured);
    const begun = await runs.begin({
      name: definition.name,
      key: definition.key,
      version: definition.version,
      path: deployment.path,
      agent: request.agent ?? null,
      props: JSON.stringify(presentProps(definition, configured, {})),
      startedAt: parts.now(),
    });
    changed(begun);
    context.progress('Running');
    host.configure({
      props: configured,
      accounts,
      endpoints: {},
      db: {},
      stashDir: options.stashDir,
      ...(definition.hasAdditionalProps && { propSet: definition.props }),
    });
    const called = await options.probation.beside(() =>
      callHost(host, { call: 'action', steps: request.steps ?? {} }, context.signal),
    );
    if (called.unauthorized === true) parts.unauthorized(configured);
    const isCancelled = context.signal.aborted;
    const mask = accountMask(accounts);
    const did = { ...called, logs: [...logs, ...called.logs] };
    const ended = await runs.end(begun.n, {
      status: isCancelled ? 'cancelled' : did.error === undefined ? 'succeeded' : 'failed',
      endedAt: parts.now(),
      error: did.error === undefined ? null : (mask.value(did.error) as ThrownError),
      outcome: outcomeOf(did, mask),
    });
    changed(ended);
    if (isCancelled) throw new WeirError('cancelled', 'Cancelled.');
    return { ...did, n: begun.n };
  } finally {
    await host.end(0);
  }
}

/**
 * All that comes before the run of an action, which ends there.
 * @throws WeirError as `runAction`
 */
export async function checkAction(
  options: CheckActionOptions,
  request: ActionRequest,
  context: TaskContext,
): Promise<Pick<PreparedComponent, 'definition' | 'configured'>> {
  const { host, definition, configured } = await prepared(options, request, told(context));
  await host.end(0);
  options.requireAccounts(configured);
  return { definition, configured };
}

function prepared(
  options: CheckActionOptions,
  request: ActionRequest,
  context: TaskContext,
): Promise<PreparedComponent> {
  const parts = withAccounts(options.prepare, request.accounts);
  return prepare(parts, null, request, request.configured_props ?? {}, context);
}

function told(context: TaskContext): TaskContext {
  const { signal, adHoc } = context;
  return { signal, adHoc, progress: (message) => context.progress(message) };
}
