/** The services of a runtime, whichever kind of node it is. */
import { describeError } from '../base/log.ts';
import { newId, secureRandom } from '../base/ids.ts';
import { EmitterKinds } from '../events/emitter-kind.ts';
import { OwnedEmitters } from '../events/owner/owned-emitters.ts';
import type { Services } from '../events/services.ts';
import { WorkHold } from '../events/work-hold.ts';
import { Signals } from '../events/signals.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { budgetOf } from '../processes/budget.ts';
import { IdleProcesses } from '../processes/idle-processes.ts';

/**
 * @param given what differs between a single runtime and a node
 * @param isPaused of a node: see `WorkHoldOptions`
 */
export function createServices(
  given: Pick<Services, 'settings' | 'clock' | 'log' | 'closing' | 'store'> &
    Pick<RuntimeOptions, 'memoryMb'>,
  isPaused?: () => boolean,
): Services {
  const { settings, clock, log, closing, store, memoryMb } = given;
  const hold = new WorkHold({ store, clock, isPaused });
  closing.push(() => hold.close());
  return {
    settings,
    clock,
    log,
    closing,
    store,
    now: () => clock.now(),
    report: (where, error) => log('error', `${where}: ${describeError(error)}`),
    newId: (prefix) => newId(prefix, secureRandom),
    signals: new Signals(),
    emitters: new OwnedEmitters(),
    kinds: new EmitterKinds(),
    hold,
    idleProcesses: new IdleProcesses({
      clock,
      budget: memoryMb === undefined ? undefined : budgetOf(memoryMb),
    }),
  };
}
