import type { ConsoleLine } from '../../../protocol/host.ts';
import type { Clock } from '../../base/clock.ts';
import { append } from '../../processes/outcome.ts';
import type { Run } from './run.ts';

/** How long a run has to continue after its first line, in ms, before its lines are sent ahead of its commit. */
const slowMs = 100;

interface Saying {
  /** Lines that wait to be sent; undefined once each line is sent as it arrives. */
  held: ConsoleLine[] | undefined;
  readonly forget: () => void;
}

type Tell = (run: Run, lines: readonly ConsoleLine[], from: number) => void;

/**
 * The console lines of runs that take a while. Lines of quick runs are sent with their commits, and so in the order of
 * these.
 */
export class LiveConsole {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #tell: Tell;
  /** By number of the run, from its first line to its end. */
  readonly #sayings = new Map<number, Saying>();

  /** @param tell gets lines, and how many the run has sent before them */
  constructor(clock: Pick<Clock, 'after'>, tell: Tell) {
    this.#clock = clock;
    this.#tell = tell;
  }

  add(run: Run, lines: readonly ConsoleLine[], from: number): void {
    const known = this.#sayings.get(run.n);
    if (known === undefined) return this.#begin(run, lines);
    if (known.held === undefined) return this.#tell(run, lines, from);
    // In another process, the run starts again.
    if (from === 0) known.held.length = 0;
    append(known.held, lines);
  }

  /** It has ended, however that was. */
  end({ n }: Run): void {
    this.#sayings.get(n)?.forget();
    this.#sayings.delete(n);
  }

  #begin(run: Run, lines: readonly ConsoleLine[]): void {
    const saying: Saying = {
      held: [...lines],
      forget: this.#clock.after(slowMs, () => {
        this.#tell(run, saying.held ?? [], 0);
        saying.held = undefined;
      }),
    };
    this.#sayings.set(run.n, saying);
  }
}
