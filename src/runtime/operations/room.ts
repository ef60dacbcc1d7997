/** What the handlers work with. */
import type { Accounts } from '../accounts/accounts.ts';
import type { Sealer } from '../accounts/seal.ts';
import type { Components } from '../components/deployments/deployment.ts';
import type { Debugging } from '../debug/debugging.ts';
import type { DataStores } from '../data-stores/data-stores.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Invocation, RuntimeInfo, Source } from '../../protocol/catalogue.ts';
import type { Invocations } from '../invocations/invocations.ts';
import type { Instances } from '../lifecycle/instances.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import { endpointsOf } from '../lifecycle/host-configuration.ts';
import type { Forms } from '../forms/forms.ts';
import type { PrepareOptions } from '../components/prepare.ts';
import type { PropSets } from '../forms/prop-sets.ts';
import type { Signals } from '../signals.ts';
import type { InvocationRecord } from '../store/history/invocations.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { Store } from '../store/store.ts';
import { presentDebugState } from './present-debug.ts';
import { presentInvocation, presentSource } from './present.ts';

export interface Room {
  readonly store: Store;
  readonly signals: Signals;
  readonly lifecycle: Lifecycle;
  readonly invocations: Invocations;
  readonly instances: Instances;
  readonly components: Components;
  readonly prepare: PrepareOptions;
  readonly forms: Forms;
  readonly propSets: PropSets;
  readonly debugging: Debugging;
  readonly deliveries: Deliveries;
  readonly accounts: Accounts;
  readonly dataStores: DataStores;
  readonly sealer: Sealer;
  readonly newId: (prefix: 'wh_' | 'sub_' | 'asub_' | 'dc_' | 'sc_' | 'hi_') => string;
  readonly now: () => number;
  readonly endpointUrl: (interfaceId: string) => string;
  readonly stashDir: (sourceId: string) => string;
  readonly info: () => RuntimeInfo;
  /** Stops the runtime after the answer has gone out. */
  readonly stop: () => void;
}

/** By id or name slug. Throws `not_found`. */
export function findSource(room: Room, idOrSlug: string): SourceRecord {
  const record = room.store.sources.find(idOrSlug);
  if (record === undefined || record.deploying) {
    throw new WeirError(
      'not_found',
      `There is no source "${idOrSlug}". List them with "weir list sources".`,
    );
  }
  return record;
}

export function showSource(room: Room, record: SourceRecord): Source {
  const last = room.store.invocations.last(record.id);
  return presentSource(record, {
    component: room.store.components.get(record.componentId),
    last: last === undefined ? null : showInvocationRecord(room, last),
    endpoints: endpointsOf(record, room.endpointUrl),
    debug: presentDebugState(room.debugging.find(record.id)),
  });
}

export function showInvocationRecord(room: Room, record: InvocationRecord): Invocation {
  return presentInvocation(record, room.invocations.isRunning(record.n));
}
