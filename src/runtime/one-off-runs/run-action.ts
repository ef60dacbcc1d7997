/** An action by itself, outside a workflow: prepared, run once, and its process ended. */
import { WeirError } from '../../protocol/errors.ts';
import type { ConsoleLine } from '../../protocol/host.ts';
import type { TaskContext } from '../components/load.ts';
import type { Origin } from '../components/origin.ts';
import { prepare, type PreparedComponent, type PrepareOptions } from '../components/prepare.ts';
import { type Called, callHost } from '../hosts/call-host.ts';
import { append } from '../hosts/outcome.ts';
import type { Configured } from '../props/configured.ts';

export interface ActionRequest extends Origin {
  readonly configured_props?: Configured | undefined;
  /** Exports of earlier steps, by step name. */
  readonly steps?: Readonly<Record<string, unknown>> | undefined;
}

export interface RunActionOptions {
  readonly prepare: PrepareOptions;
  /** Folder for the files of actions. */
  readonly stashDir: string;
  /** Throws `not_found` when one of the accounts these values name does not exist. */
  readonly requireAccounts: (configured: Configured) => void;
}

/**
 * Resolves with what it did, also when it threw, ran too long or ended its process.
 * @throws WeirError `bad_component`, `bad_input` with one detail per prop, `component_failed` when
 *   `additionalProps` fails, `not_found` for an account, `cancelled`
 */
export async function runAction(
  options: RunActionOptions,
  request: ActionRequest,
  context: TaskContext,
): Promise<Called> {
  const logs: ConsoleLine[] = [];
  const { host, definition, configured } = await prepared(options, request, context, (lines) =>
    append(logs, lines),
  );
  try {
    options.requireAccounts(configured);
    await options.prepare.freshen(configured);
    context.progress('Running');
    host.configure({
      props: configured,
      accounts: options.prepare.accountsOf(configured),
      endpoints: {},
      db: {},
      stashDir: options.stashDir,
      ...(definition.hasAdditionalProps && { propSet: definition.props }),
    });
    const called = await callHost(
      host,
      { call: 'action', steps: request.steps ?? {} },
      context.signal,
    );
    if (called.unauthorized === true) options.prepare.unauthorized(configured);
    if (context.signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
    return { ...called, logs: [...logs, ...called.logs] };
  } finally {
    await host.end(0);
  }
}

/**
 * All that comes before the run of an action, which ends there.
 * @throws WeirError as `runAction`
 */
export async function checkAction(
  options: RunActionOptions,
  request: ActionRequest,
  context: TaskContext,
): Promise<Pick<PreparedComponent, 'definition' | 'configured'>> {
  const { host, definition, configured } = await prepared(options, request, context);
  await host.end(0);
  options.requireAccounts(configured);
  return { definition, configured };
}

function prepared(
  options: RunActionOptions,
  request: ActionRequest,
  context: TaskContext,
  onLog?: TaskContext['onLog'],
): Promise<PreparedComponent> {
  return prepare(options.prepare, null, request, request.configured_props ?? {}, {
    signal: context.signal,
    progress: (message) => context.progress(message),
    ...(onLog !== undefined && { onLog }),
  });
}
