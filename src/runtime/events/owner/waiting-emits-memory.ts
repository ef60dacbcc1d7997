import type { NewScheduledEmit, WaitingEmits } from '../../store/history/scheduled-emits.ts';
import type { RowsAndBytes } from '../../store/retention.ts';

/** The waiting emits of one emitter: how many there are, and when the earliest is due. */
export class WaitingEmitsMemory {
  count: number;
  bytes: number;
  /** Epoch ms. May be too early, as what was cancelled is not asked for the next one. */
  nextAt: number | undefined;

  constructor({ count, bytes, nextAt }: WaitingEmits) {
    this.count = count;
    this.bytes = bytes;
    this.nextAt = nextAt;
  }

  /** The commit that stores them follows. */
  add(emits: readonly NewScheduledEmit[]): void {
    for (const { dueAt, payload } of emits) {
      this.count += 1;
      this.bytes += Buffer.byteLength(payload);
      this.lookAt(dueAt);
    }
  }

  /** They became events, or were cancelled. */
  remove({ count, bytes }: RowsAndBytes): void {
    this.count -= count;
    this.bytes -= bytes;
  }

  /** @param at epoch ms; undefined changes nothing */
  lookAt(at: number | undefined): void {
    if (at !== undefined) this.nextAt = Math.min(at, this.nextAt ?? at);
  }
}
