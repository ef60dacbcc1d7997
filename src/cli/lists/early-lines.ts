/**
 * Console lines arrive twice: as soon as they have reached the runtime, and with their ids when the run's commit has
 * them. Each is shown once, as soon as possible.
 */
import type { LogLine } from '../../protocol/catalogue.ts';
import type { Change } from '../../protocol/rpc.ts';

/** A line has no id before it is stored. */
export type ShownLine = Omit<LogLine, 'id'> & { readonly id?: number };

/** The lines of a run that were shown. */
interface Shown {
  /** How many lines the run had sent before, which were not shown here. */
  readonly first: number;
  readonly lines: ShownLine[];
  /** How many of all its lines arrived again. */
  toldAgain: number;
}

export class EarlyLines {
  /** Lines shown of running runs, by run id. */
  readonly #shown = new Map<string, Shown>();

  /** The lines that are shown now, ahead of the commit of their run. */
  take(change: Extract<Change, { readonly type: 'console' }>): readonly ShownLine[] {
    const { source_id, invocation_id, from } = change;
    const known = this.#shown.get(invocation_id);
    // If a run starts again because its process was lost, it sends its lines again.
    const fresh: Shown = { first: from, lines: [], toldAgain: 0 };
    const { first, lines } = from === 0 ? fresh : (known ?? fresh);
    // Something was missed while there was no connection: the rest comes with the commit.
    if (from !== first + lines.length) return [];
    const more = change.lines.map(
      (line) => ({ ...line, source_id, invocation_id, kind: 'console' }) as const,
    );
    for (const line of more) lines.push(line);
    this.#shown.set(invocation_id, { first, lines, toldAgain: 0 });
    return more;
  }

  /** Whether a stored line was shown before. Asked once for each line of a run, in their order. */
  wasShown({ invocation_id: run, kind, ts, text }: ShownLine): boolean {
    const known = run === null ? undefined : this.#shown.get(run);
    if (run === null || known === undefined) return false;
    if (kind === 'end') this.#shown.delete(run);
    if (kind !== 'console') return false;
    const at = known.toldAgain - known.first;
    known.toldAgain += 1;
    if (at < 0) return false;
    const shown = known.lines[at];
    if (shown?.ts === ts && shown.text === text) return true;
    // The shown lines are from an attempt that a crash discarded.
    this.#shown.delete(run);
    return false;
  }
}
