import { WeirError } from '../../protocol/errors.ts';
import type { Components } from '../components/deployments/deployment.ts';
import type { Store } from '../store/store.ts';
import type { HandedOver } from './hand-over.ts';
import type { RunningSources } from './running-sources.ts';

export interface HandedOverSourcesOptions {
  readonly store: Pick<Store, 'sources' | 'components'>;
  readonly components: Pick<Components, 'get'>;
  readonly running: RunningSources;
}

/** Sources as they come to this runtime and leave it. */
export function handedOverSources({
  store,
  components,
  running,
}: HandedOverSourcesOptions): HandedOver {
  const { instances, invocations, timers } = running;
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
      return (taken, emitter) => {
        const record = store.sources.get(id);
        if (record === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
        instances.add(id, deployment);
        invocations.recover([{ ...taken, emitter }]);
        invocations.arrived(id, new Set(taken.unfinished.map(({ record: { n } }) => n)));
        if (record.active) timers.set(id, record.interfaces);
      };
    },
    arrive: (id) => invocations.arrive(id),
    notArrived: (id) => invocations.notArrived(id),
    leave: (id) => invocations.leave(id),
    // The lifecycle of a source ends its runs where it is deleted.
    end: () => undefined,
    rests(id) {
      const depth = instances.get(id)?.runner.depth;
      // One without is being deployed, or deleted.
      if (depth === undefined || depth.waiting + depth.running > 0) return false;
      // What has ended in this turn is with the store before it is given back.
      invocations.commitNow();
      return true;
    },
    stay(id) {
      const record = store.sources.get(id);
      if (record?.active === true) timers.set(id, record.interfaces);
      invocations.stay(id);
    },
    left(id) {
      instances.remove(id, 'the source runs at another node');
      invocations.left(id);
    },
  };
}
