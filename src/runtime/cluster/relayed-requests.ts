/**
 * Reports a follower's requests to the leader for its metrics: once a second, because they are too many to report one
 * by one.
 */
import type { OnRequested } from '../server/requested.ts';
import type { BaseServices } from '../base/services.ts';

/** All are to endpoints: whatever else is asked there the leading node answers. */
export interface RelayedRequests {
  readonly status: number;
  /** How long each took. */
  readonly ms: readonly number[];
}

export interface RelayRequestsOptions extends Pick<BaseServices, 'clock'> {
  readonly tell: (requests: readonly RelayedRequests[]) => void;
}

const tellMs = 1000;

export interface RequestRelay {
  readonly requested: OnRequested;
  /** Does not wait for the second to be over. */
  readonly now: () => void;
}

export function relayRequests({ clock, tell }: RelayRequestsOptions): RequestRelay {
  const byStatus = new Map<number, number[]>();
  let cancel: () => void = () => undefined;
  const now = (): void => {
    cancel();
    if (byStatus.size === 0) return;
    const all = [...byStatus].map(([status, ms]) => ({ status, ms }));
    byStatus.clear();
    tell(all);
  };
  return {
    requested({ status, ms }) {
      if (byStatus.size === 0) cancel = clock.after(tellMs, now);
      const others = byStatus.get(status);
      if (others === undefined) byStatus.set(status, [ms]);
      else others.push(ms);
    },
    now,
  };
}
