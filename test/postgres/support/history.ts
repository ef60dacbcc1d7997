/** What was acknowledged to whoever asked, and whether the database still has it: of sources that count their runs, and of workflows. */

/** Of one source or workflow, as its database has it: each run or execution emits once. */
export interface KeptEmitter {
  readonly id: string;
  /** Numbers of invocations that were accepted, and of those that have an end. */
  readonly accepted: readonly number[];
  readonly ended: readonly number[];
  /** Those that wait for a time that has not come by the clock of the database. */
  readonly asleep?: readonly number[];
  /** How those ended that ended, for messages. */
  readonly outcomes?: ReadonlyMap<number, string>;
  /** In the order of their ids. */
  readonly events: readonly { readonly n: number }[];
}

/** A source does one after the other. */
export interface KeptSource extends KeptEmitter {
  readonly events: readonly Counted[];
  /** What its db has. */
  readonly count: number;
}

/** An event of a run: what it counted to, which invocation it was, and the fence of the owner that ran it. */
export interface Counted {
  readonly count: number;
  readonly n: number;
  readonly fence: number;
}

export class History {
  readonly #accepted = new Map<string, Set<number>>();
  readonly #committed = new Map<string, Set<number>>();

  /** The caller was told that it is on disk. */
  accepted(id: string, n: number): void {
    setOf(this.#accepted, id).add(n);
  }

  /** So was whoever listens. */
  committed(id: string, n: number): void {
    setOf(this.#committed, id).add(n);
  }

  get size(): number {
    return [...this.#committed.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** A sentence for everything that is not as it was promised. */
  violations(sources: readonly KeptSource[], workflows: readonly KeptEmitter[] = []): string[] {
    return [
      ...[...sources, ...workflows].flatMap((kept) => [
        ...missing(kept, 'accepted', setOf(this.#accepted, kept.id), kept.accepted),
        ...missing(kept, 'committed', setOf(this.#committed, kept.id), kept.ended),
        ...oneEndEach(kept),
      ]),
      ...sources.flatMap((source) => [...countedWithoutGap(source), ...fencesAscend(source)]),
    ];
  }
}

function setOf(sets: Map<string, Set<number>>, id: string): Set<number> {
  const found = sets.get(id) ?? new Set<number>();
  sets.set(id, found);
  return found;
}

function missing(
  { id }: KeptEmitter,
  what: string,
  told: ReadonlySet<number>,
  kept: readonly number[],
): string[] {
  const there = new Set(kept);
  return [...told].flatMap((n) =>
    there.has(n) ? [] : [`${id}: invocation ${n} was told as ${what}, and is not there.`],
  );
}

function oneEndEach({ id, accepted, ended, asleep = [], outcomes, events }: KeptEmitter): string[] {
  const wrong: string[] = [];
  const [asked, over] = [new Set(accepted), new Set(ended)];
  const waiting = new Set(asleep);
  for (const n of asked)
    if (!over.has(n) && !waiting.has(n)) wrong.push(`${id}: invocation ${n} has no end.`);
  for (const n of over) if (!asked.has(n)) wrong.push(`${id}: ${n} ended and was never accepted.`);
  const how = (n: number): string => (outcomes === undefined ? '' : `, ${outcomes.get(n)}`);
  const emitted = new Map<number, number>();
  for (const { n } of events) emitted.set(n, (emitted.get(n) ?? 0) + 1);
  for (const n of over) {
    const times = emitted.get(n) ?? 0;
    // Its owner has ended three times in a row while it may have run: a person is to look at it.
    const isGivenUp = times === 0 && outcomes?.get(n)?.includes('RuntimeEnded') === true;
    if (times !== 1 && !isGivenUp)
      wrong.push(`${id}: invocation ${n} emitted ${times} times${how(n)}.`);
  }
  return wrong;
}

function countedWithoutGap({ id, events, count }: KeptSource): string[] {
  const wrong = events.flatMap((event, i) =>
    event.count === i + 1 ? [] : [`${id}: event ${i + 1} counted to ${event.count}.`],
  );
  return count === events.length
    ? wrong
    : [...wrong, `${id}: its db counted to ${count}, its events to ${events.length}.`];
}

function fencesAscend({ id, events }: KeptSource): string[] {
  return events.flatMap(({ fence }, i) => {
    const before = events[i - 1]?.fence ?? 0;
    return fence >= before ? [] : [`${id}: fence ${fence} came after ${before}.`];
  });
}
