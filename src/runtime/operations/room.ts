/** What the handlers work with. */
import type { Accounts } from '../accounts/accounts.ts';
import type { Sealer } from '../accounts/seal.ts';
import type { Components } from '../components/deployment.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { RuntimeInfo, Source } from '../../protocol/catalogue.ts';
import type { Invocations } from '../invocations/invocations.ts';
import type { Instances } from '../lifecycle/instances.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import { endpointsOf } from '../lifecycle/configuration.ts';
import type { PrepareOptions } from '../lifecycle/prepare.ts';
import type { Signals } from '../signals.ts';
import type { SourceRecord, Store } from '../store/store.ts';
import { presentSource } from './present.ts';

export interface Room {
  readonly store: Store;
  readonly signals: Signals;
  readonly lifecycle: Lifecycle;
  readonly invocations: Invocations;
  readonly instances: Instances;
  readonly components: Components;
  readonly prepare: PrepareOptions;
  readonly deliveries: Deliveries;
  readonly accounts: Accounts;
  readonly sealer: Sealer;
  readonly newId: (prefix: 'wh_' | 'sub_') => string;
  readonly now: () => number;
  readonly endpointUrl: (interfaceId: string) => string;
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
  return presentSource(record, {
    component: room.store.components.get(record.componentId),
    last: room.store.invocations.last(record.id),
    endpoints: endpointsOf(record, room.endpointUrl),
  });
}
