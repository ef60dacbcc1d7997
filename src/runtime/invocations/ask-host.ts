/** A call of user code that is no invocation (`options`, `additionalProps`, an action): asked and answered. */
import { WeirError } from '../../protocol/errors.ts';
import type { Work } from '../../protocol/host.ts';
import type { Host } from '../hosts/host.ts';
import { Recorder, type Ending } from './recorder.ts';

/** Above any invocation's number, which the store counts up from 1. */
let next = 2 ** 48;

/** Resolves with what the call returned, threw and logged; rejects with 422 when its process ended. */
export function askHost(host: Host, work: Work): Promise<Ending> {
  return new Promise((resolve, reject) => {
    next += 1;
    const recorder = new Recorder({
      done: resolve,
      lost: (loss) => reject(new WeirError('component_failed', `The component ${loss.message}.`)),
    });
    host.work(next, work, recorder);
  });
}
