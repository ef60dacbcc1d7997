import { WeirError } from '../../../protocol/errors.ts';
import type { Inbox } from '../../events/inbox.ts';
import type { Incoming } from '../../events/intake.ts';
import type { Committed } from '../../events/signals.ts';

/**
 * Puts a trigger into the inbox and waits until its run is on disk. A caller that cancels or goes away is
 * not waited for, but its run is: it goes on, as that of any trigger that was taken in (P12.24).
 * @throws WeirError('cancelled')
 */
export async function runToEnd(
  inbox: Pick<Inbox, 'accept'>,
  emitterId: string,
  incoming: Omit<Incoming, 'caller'>,
  signal: AbortSignal,
): Promise<Committed> {
  if (signal.aborted) throw new WeirError('cancelled', 'Cancelled before the run was begun.');
  let leave: () => void = () => undefined;
  try {
    return await new Promise<Committed>((committed, failed) => {
      const { n } = inbox.accept(emitterId, { ...incoming, committed, caller: { failed } });
      leave = () => {
        failed(new WeirError('cancelled', `The run goes on; "stop" ends it (inv_${n}).`));
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
