/** Sources as a kind of emitter. */
import { WeirError } from '../../protocol/errors.ts';
import type { Components } from '../components/deployments/deployment.ts';
import type {
  EmitterKind,
  EmitterRecords,
  KindTransfer,
  RecoveredEmitter,
} from '../events/emitter-kind.ts';
import type { InboxEntry } from '../events/intake.ts';
import type { ShownRun } from '../events/owner/owned-emitters.ts';
import type { Invocations } from '../events/runs/invocations.ts';
import type { Endpoint } from '../events/triggers/http/route.ts';
import type { Timers } from '../events/triggers/timers.ts';
import type { UsesStore } from '../store/store.ts';
import type { Instances } from './instances.ts';
import type { Services } from '../events/services.ts';

export interface SourceKindOptions
  extends UsesStore<'sources' | 'components'>, Pick<Services, 'signals' | 'emitters'> {
  readonly components: Pick<Components, 'get'>;
  readonly instances: Instances;
  readonly invocations: Invocations;
  readonly timers: Timers;
}

export class SourceKind implements EmitterKind {
  readonly prefix = 'dc';
  readonly name = 'source';
  readonly records: EmitterRecords;
  readonly keepsRefusedRequests = false;
  readonly transfer: KindTransfer;
  readonly #options: SourceKindOptions;

  constructor(options: SourceKindOptions) {
    this.#options = options;
    this.records = options.store.sources;
    this.transfer = sourceTransfer(options);
  }

  endpoint(id: string): Endpoint | undefined {
    return this.#options.instances.endpoint(id);
  }

  listens(id: string): boolean {
    const { emitters, instances, store } = this.#options;
    return emitters.get(id) === undefined
      ? store.sources.get(id)?.active === true
      : instances.running(id) !== undefined;
  }

  begin(entry: InboxEntry): void {
    this.#options.invocations.begin(entry);
  }

  endUnstarted(entry: InboxEntry): void {
    this.#options.invocations.endUnstarted(entry);
  }

  recover(taken: readonly RecoveredEmitter[]): void {
    this.#options.invocations.recover(taken);
  }

  get inFlight(): number {
    return this.#options.invocations.inFlight;
  }

  isRunning({ n }: ShownRun): boolean {
    return this.#options.invocations.isRunning(n);
  }

  startNext(): void {
    for (const { runner } of this.#options.instances.all()) runner.startNext();
  }

  changed(id: string): void {
    this.#options.signals.emit('source', id);
  }
}

function sourceTransfer(options: SourceKindOptions): KindTransfer {
  const { store, components, instances, invocations, timers } = options;
  const startTimers = (id: string): void => {
    const record = store.sources.get(id);
    if (record?.active === true) timers.set(id, record.interfaces);
  };
  return {
    async prepare(id) {
      const component = store.components.get(store.sources.get(id)?.componentId ?? '');
      const deployment = component && (await components.get(component.hash));
      if (deployment === undefined) {
        throw new WeirError(
          'conflict',
          `The code of ${id} is not in the database: update the source.`,
        );
      }
      return () => {
        if (store.sources.get(id) === undefined)
          throw new WeirError('not_found', `There is no source ${id}.`);
        instances.add(id, deployment);
      };
    },
    arrived: ({ id }) => startTimers(id),
    // Waiting runs keep their turn: runs of a source are short.
    beginTransfer: () => undefined,
    isIdle(id) {
      const depth = instances.get(id)?.runner.depth;
      // A source without an instance is being deployed, or deleted.
      if (depth === undefined || depth.waiting + depth.running > 0) return false;
      // Runs that ended in this turn are stored before the source is released.
      invocations.commitNow();
      return true;
    },
    // The lifecycle of a source ends its runs where it is deleted.
    endRuns: () => undefined,
    cancelTransfer: startTimers,
    transferredOut(id) {
      instances.remove(id, 'the source runs at another node');
      invocations.transferredOut(id);
    },
  };
}
