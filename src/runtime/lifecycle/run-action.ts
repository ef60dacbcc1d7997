/** An action by itself, outside a workflow: prepared, run once, and its process ended. */
import { WeirError } from '../../protocol/errors.ts';
import type { ConsoleLine } from '../../protocol/host.ts';
import { type Called, callHost } from '../invocations/ask-host.ts';
import type { Origin } from './origin.ts';
import { prepare, type PrepareOptions, type Steps } from './prepare.ts';

export interface ActionRequest extends Origin {
  readonly configured_props?: Readonly<Record<string, unknown>> | undefined;
  /** Exports of earlier steps, by step name. */
  readonly steps?: Readonly<Record<string, unknown>> | undefined;
}

export interface RunActionOptions {
  readonly prepare: PrepareOptions;
  /** Folder for the files of actions. */
  readonly stashDir: string;
  /** Throws `not_found` when one of the accounts these values name does not exist. */
  readonly requireAccounts: (configured: Readonly<Record<string, unknown>>) => void;
}

/**
 * Resolves with what it did, also when it threw, ran too long or ended its process. Throws
 * `bad_component`, `bad_input` with one detail per prop, `not_found`, `cancelled`.
 */
export async function runAction(
  options: RunActionOptions,
  request: ActionRequest,
  steps: Steps,
): Promise<Called> {
  const said: ConsoleLine[] = [];
  const { host, definition, configured } = await prepare(
    options.prepare,
    null,
    request,
    request.configured_props ?? {},
    {
      signal: steps.signal,
      progress: (message) => steps.progress(message),
      onLog: (lines) => void said.push(...lines),
    },
  );
  try {
    options.requireAccounts(configured);
    steps.progress('Running');
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
      steps.signal,
    );
    if (steps.signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
    return { ...called, logs: [...said, ...called.logs] };
  } finally {
    await host.end(0);
  }
}
