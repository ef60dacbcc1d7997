import type { Delivery } from '../../protocol/catalogue.ts';

/** How a webhook does, by its deliveries that are known here. */
export interface Health {
  readonly state: 'silent' | 'healthy' | 'retrying' | 'failing';
  /** Deliveries that were given up and not sent again since. */
  readonly exhausted: number;
  readonly retrying: number;
}

/** @param deliveries newest first */
export function healthOf(deliveries: readonly Delivery[]): Health {
  const count = (status: Delivery['status']): number =>
    deliveries.filter((delivery) => delivery.status === status).length;
  const exhausted = count('exhausted');
  const retrying = count('retrying');
  const state =
    exhausted > 0
      ? 'failing'
      : retrying > 0
        ? 'retrying'
        : count('delivered') > 0
          ? 'healthy'
          : 'silent';
  return { state, exhausted, retrying };
}
