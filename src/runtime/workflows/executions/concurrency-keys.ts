/**
 * Keys of executions (`settings.concurrency.key`, P25.62). The expression is code of the workflow's, and is evaluated in
 * its process, one after the other: those of one key begin in the order of the inbox.
 */
import type { ThrownError, Trigger } from '../../../protocol/host.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { ProcessExit } from '../../processes/host.ts';
import { toExitError } from '../../processes/process-exit.ts';
import { OutcomeRecorder } from '../../processes/outcome.ts';
import { afterLoss } from './cut-off.ts';
import type { WorkflowProcesses } from './workflow-processes.ts';
import type { BaseServices } from '../../base/services.ts';

/** An expression does no more than look at the event. */
const longestMs = 10_000;

const path = 'settings.concurrency.key';

export type KeyOutcome = { readonly key: string } | { readonly error: ThrownError };

export interface ConcurrencyKeysOptions extends Pick<BaseServices, 'clock'> {
  /** Has the code of a deployment ready. */
  readonly ready: (deploymentId: string) => Promise<void>;
  readonly processesOf: (deploymentId: string) => Pick<WorkflowProcesses, 'of'>;
}

export interface KeyRequest {
  readonly workflowId: string;
  readonly deploymentId: string;
  /** Number of the execution. */
  readonly n: number;
  /** With an expression in it. */
  readonly text: string;
  readonly trigger: () => Promise<Trigger | undefined>;
}

export class ConcurrencyKeys {
  readonly #options: ConcurrencyKeysOptions;
  /** The last request of each workflow. */
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(options: ConcurrencyKeysOptions) {
    this.#options = options;
  }

  /** Never rejects. They resolve in the order they were asked for, workflow by workflow. */
  of(request: KeyRequest): Promise<KeyOutcome> {
    const { workflowId } = request;
    const before = this.#lines.get(workflowId) ?? Promise.resolve();
    const outcome = before.then(() => this.#evaluate(request)).catch(failed);
    this.#lines.set(workflowId, outcome);
    void outcome.then(() => {
      if (this.#lines.get(workflowId) === outcome) this.#lines.delete(workflowId);
    });
    return outcome;
  }

  async #evaluate(request: KeyRequest): Promise<KeyOutcome> {
    const trigger = await request.trigger();
    if (trigger === undefined) {
      throw new WeirError('not_found', 'What started it is not kept any more.');
    }
    await this.#options.ready(request.deploymentId);
    for (let cutOffs = 0; ;) {
      const ended = await this.#call(request, trigger);
      if (!('loss' in ended)) return ended;
      const after = afterLoss(ended.loss, cutOffs);
      if (!after.isAgain) return { error: toExitError(ended.loss) };
      ({ cutOffs } = after);
    }
  }

  async #call(
    { deploymentId, n, text }: KeyRequest,
    trigger: Trigger,
  ): Promise<KeyOutcome | { readonly loss: ProcessExit }> {
    const process = this.#options.processesOf(deploymentId).of('');
    const live = await process.open();
    const work = { call: 'value', text, path, trigger } as const;
    let cancel: () => void = () => undefined;
    let isLate = false;
    try {
      return await new Promise((resolve) => {
        const observer = new OutcomeRecorder({
          respond: () => undefined,
          done: ({ error, result = 'null' }) =>
            resolve(error === undefined ? { key: result } : { error }),
          lost: (loss) => resolve(isLate ? { error: tooLong } : { loss }),
        });
        const number = process.call(live, n, undefined, '', () => work, observer);
        cancel = this.#options.clock.after(longestMs, () => {
          isLate = true;
          live.host.stop(number);
        });
      });
    } finally {
      cancel();
      process.forget(n);
    }
  }
}

const tooLong: ThrownError = {
  name: 'Timeout',
  message: `${path} took longer than ${longestMs / 1000} s.`,
};

function failed(error: unknown): KeyOutcome {
  const message = error instanceof Error ? error.message : String(error);
  return { error: { name: 'LoadError', message } };
}
