/** From the start of a runtime to its end. */
import { WeirError } from '../../protocol/errors.ts';
import type { Services } from '../events/services.ts';
import { diskFullness, type Health } from '../server/health.ts';
import type { DataFolder } from '../store/data-folder/data-folder.ts';
import { watchPlace } from '../store/data-folder/watch-place.ts';
import type { LeaderRole } from './leader-role.ts';
import type { OpenedApi } from './open-api.ts';
import type { Running } from './running.ts';

export interface LifeOptions extends Pick<
  Services,
  'store' | 'hold' | 'settings' | 'clock' | 'log' | 'closing'
> {
  readonly folder: DataFolder;
  readonly running: Running;
  readonly leading: LeaderRole | undefined;
  readonly api: Pick<OpenedApi, 'close'>;
}

export class Life {
  readonly #options: LifeOptions;
  readonly #isDiskFull: () => Promise<boolean>;
  #isStarted = false;
  #stopping: Promise<void> | undefined;
  #hasEnded: () => void = () => undefined;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;

  constructor(options: LifeOptions) {
    this.#options = options;
    const { folder, settings, clock } = options;
    this.#isDiskFull = diskFullness(folder.path, settings['health.freeMb'] * 1024 * 1024, () =>
      clock.elapsed(),
    );
    this.ended = new Promise((resolve) => {
      this.#hasEnded = resolve;
    });
  }

  /** Whether it may be sent requests. */
  readonly health: Health = async () => {
    const { hold } = this.#options;
    if (this.#stopping !== undefined) return 'stopping';
    if (!this.#isStarted) return 'starting';
    if (hold.isHeld) return 'store_failed';
    return (await this.#isDiskFull()) ? 'disk_full' : undefined;
  };

  /** Why it takes nothing more. */
  ending(): WeirError | undefined {
    return this.#stopping === undefined
      ? undefined
      : new WeirError('runtime_unavailable', 'The runtime is stopping.');
  }

  started(): void {
    this.#isStarted = true;
  }

  /** Fails the store if another folder has replaced the data folder. */
  watchPlace(): void {
    const { folder, store, clock, closing } = this.#options;
    closing.push(
      watchPlace({
        inPlace: () => folder.inPlace() && store.inPlace(),
        lost: () => {
          // Running work cannot be stored; a restart recovers the rest.
          this.#stopRuns();
          store.fail(
            new WeirError(
              'store_failed',
              `The data folder ${folder.path} was deleted, moved away or replaced while the runtime with pid ${process.pid} used it: stop that runtime, and start it again.`,
            ),
          );
        },
        clock,
      }),
    );
  }

  /** Ends cleanly; interrupted runs resume at the next start. Returns the same promise to every caller. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { log, api, running, closing } = this.#options;
    log('info', 'Stopping');
    api.close('The runtime is stopping.');
    this.#stopRuns();
    // Runs that end now can be stored; the others run elsewhere.
    await running.drained();
    await closing.closeAll();
    this.#hasEnded();
  }

  #stopRuns(): void {
    this.#options.leading?.stop();
    this.#options.running.stop();
  }
}
