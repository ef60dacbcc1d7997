/** Runs the hooks of a source and says in one sentence when one failed (P12.6). */
import { messageWithCauses } from '../../protocol/error-causes.ts';
import { type ErrorDetail, WeirError } from '../../protocol/errors.ts';
import type { HookName } from '../../protocol/host.ts';
import type { TaskContext } from '../components/load.ts';
import type { Invocations } from '../events/runs/invocations.ts';
import { missingAccounts } from '../components/props/accounts.ts';
import type { Committed } from '../events/signals.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { Instance } from './instances.ts';

export class Hooks {
  readonly #invocations: Pick<Invocations, 'hook'>;

  constructor(invocations: Pick<Invocations, 'hook'>) {
    this.#invocations = invocations;
  }

  /**
   * Resolves with the error when the hook failed, with undefined when it succeeded or when the
   * component has none (that takes no invocation). Aborting the signal while it runs ends it.
   * @param consequence second sentence of the error: what holds now
   */
  async run(
    { record }: Instance,
    hook: HookName,
    consequence: string,
    context: TaskContext,
  ): Promise<WeirError | undefined> {
    if (!record.definition.hooks.includes(hook)) return undefined;
    context.progress(`Running the ${hook} hook`);
    const ended = await this.#invocations.hook(record.id, hook, context.signal);
    return ended.commit.status === 'succeeded'
      ? undefined
      : hookFailed(record, hook, ended, consequence);
  }

  /**
   * Runs the hook.
   * @throws WeirError `component_failed` when the hook fails; the signal's reason when it is aborted
   */
  async mustSucceed(
    instance: Instance,
    hook: HookName,
    consequence: string,
    context: TaskContext,
  ): Promise<void> {
    const failure = await this.run(instance, hook, consequence, context);
    context.signal.throwIfAborted();
    if (failure !== undefined) throw failure;
  }
}

/** 422 with what the hook logged, as the platform answers. */
function hookFailed(
  record: SourceRecord,
  hook: HookName,
  ended: Committed,
  consequence: string,
): WeirError {
  const { error, logs } = ended.commit;
  const details: ErrorDetail[] = logs.map((line) => ({
    k: line.kind,
    ts: line.at,
    level: line.level,
    message: line.text,
  }));
  const why = (error === undefined ? 'it did not succeed' : messageWithCauses(error)).replace(
    /\.$/,
    '',
  );
  const message = `The ${hook} hook of ${record.name} failed: ${why}. ${consequence}`;
  const lacking = missingAccounts(record.definition, record.configuredProps);
  return new WeirError('component_failed', `${message} ${lacking}`.trimEnd(), details);
}
