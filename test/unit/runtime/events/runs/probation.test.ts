import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterDeath } from '../../../../../src/runtime/events/runs/death.ts';
import { Probation } from '../../../../../src/runtime/events/runs/probation.ts';
import type { SuspectMark, Suspicion } from '../../../../../src/runtime/store/history/suspicion.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

const owner = { id: 'dc_1', fence: 1 };
/** What is asked for goes on until the next timer. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

const byNumber = (one: number, other: number): number => one - other;

interface Work {
  readonly n: number;
  /** How long it runs, in ms. */
  readonly ms: number;
  /** When it ends the runtime instead, in ms after its beginning. */
  readonly killsAfter?: number;
}

interface Kept {
  readonly work: Work;
  attempt: number;
  suspicion: Suspicion | undefined;
}

/** Runs of one runtime after another over one store, as many side by side as the gate lets in. */
class World {
  readonly store = new Map<number, Kept>();
  readonly finished: number[] = [];
  readonly givenUp: number[] = [];
  /** Numbers of those against which a death counted. */
  readonly charged: number[] = [];
  deaths = 0;
  writes = 0;

  accept(work: Work): void {
    this.store.set(work.n, { work, attempt: 1, suspicion: undefined });
  }

  /** Until it dies, by one of its runs or from outside when it is time; or until nothing is left. */
  async live(isTime: (running: number, ms: number) => boolean = () => false): Promise<void> {
    const clock = new FakeClock();
    const running = new Map<number, () => void>();
    const life = { isOver: false };
    const start = (): void => {
      for (const { work } of this.store.values()) {
        const { n, ms, killsAfter } = work;
        if (life.isOver || running.has(n) || !(probation.isOpen || probation.admits(n))) continue;
        probation.begun(n);
        const end = (): void => {
          if (life.isOver) return;
          if (killsAfter !== undefined) {
            life.isOver = true;
            return;
          }
          running.delete(n);
          this.store.delete(n);
          this.finished.push(n);
          probation.ended(n);
        };
        running.set(n, clock.after(killsAfter ?? ms, end));
      }
    };
    const markSuspects = async (_: unknown, marks: readonly SuspectMark[]): Promise<void> => {
      if (life.isOver) return;
      this.writes += 1;
      for (const { n, attempt, isAlone, outlived } of marks) {
        const kept = this.store.get(n);
        if (kept === undefined || (!isAlone && kept.suspicion?.isAlone !== true)) continue;
        if (isAlone && running.size > 0) throw new Error(`${n} is marked as alone beside others.`);
        Object.assign(kept, { attempt, suspicion: { isAlone, outlived } });
      }
    };
    const probation = new Probation({
      store: { invocations: { markSuspects } },
      clock,
      log: () => undefined,
      inFlight: () => running.size,
      changed: start,
    });
    for (const [n, kept] of this.store) {
      if (this.deaths === 0) break;
      const after = afterDeath(kept.attempt, kept.suspicion);
      if (kept.suspicion?.isAlone === true) this.charged.push(n);
      if (after.next === 'end') {
        this.store.delete(n);
        this.givenUp.push(n);
        continue;
      }
      const { attempt, outlived } = after;
      if (kept.suspicion?.isAlone === true) {
        probation.mark(owner, { n, attempt, outlived, isAlone: false });
      }
      probation.add(owner, { n, attempt, outlived });
    }
    start();
    await settle();
    while (!life.isOver && this.store.size > 0 && !isTime(running.size, clock.elapsed())) {
      if (clock.ring() === undefined) throw new Error('It waits for ever.');
      await settle();
    }
    life.isOver = true;
    for (const [n, { suspicion }] of this.store) {
      const others = [...running.keys()].filter((one) => one !== n);
      if (suspicion?.isAlone === true && others.length > 0) throw new Error(`${n} was not alone.`);
    }
    this.deaths += 1;
  }
}

const innocent = (n: number, ms: number): Work => ({ n, ms });

describe('P12.14 P25.22 what a death cut off runs alone, one after the other', () => {
  test('the one that ends the runtime is found after three deaths, and nothing counts against others', async () => {
    const world = new World();
    world.accept(innocent(1, 300));
    world.accept({ n: 2, ms: 0, killsAfter: 100 });
    for (const n of [3, 4, 5]) world.accept(innocent(n, 300));
    while (world.store.size > 0) await world.live();
    expect(world.givenUp).toEqual([2]);
    expect(world.finished.toSorted(byNumber)).toEqual([1, 3, 4, 5]);
    expect([world.charged, world.deaths]).toEqual([[2, 2, 2], 5]);
  });

  test('one that takes its time to end it is found, too, beside others that take long', async () => {
    const world = new World();
    world.accept({ n: 1, ms: 0, killsAfter: 9000 });
    for (const n of [2, 3]) world.accept(innocent(n, 60_000));
    while (world.store.size > 0) await world.live();
    expect([world.givenUp, world.finished]).toEqual([[1], [2, 3]]);
    expect(new Set(world.charged)).toEqual(new Set([1]));
  });

  test('nothing is written, and nothing waits, while nothing has died', async () => {
    const world = new World();
    for (const n of [1, 2, 3]) world.accept(innocent(n, 300));
    await world.live();
    expect([world.writes, world.finished]).toEqual([0, [1, 2, 3]]);
  });

  test('whatever runs: only those that end the runtime are given up, and all of them are', async () => {
    const work = fc.record({
      ms: fc.integer({ min: 1, max: 30_000 }),
      killsAfter: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined, freq: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(work, { minLength: 1, maxLength: 8 }), async (all) => {
        const world = new World();
        all.forEach(({ ms, killsAfter }, n) =>
          world.accept({ n, ms, ...(killsAfter !== undefined && { killsAfter }) }),
        );
        for (let lives = 0; world.store.size > 0; lives += 1) {
          expect(lives).toBeLessThan(100);
          await world.live();
        }
        const guilty = all.flatMap(({ killsAfter }, n) => (killsAfter === undefined ? [] : [n]));
        expect(world.givenUp.toSorted(byNumber)).toEqual(guilty);
        expect(world.charged.filter((n) => !guilty.includes(n))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  test('deaths from outside count against none of those that run side by side, however many there are', async () => {
    const world = new World();
    for (const n of [1, 2, 3]) world.accept(innocent(n, 60_000));
    for (let death = 0; death < 12; death += 1) await world.live((running) => running === 3);
    await world.live();
    expect([world.charged, world.finished.toSorted(byNumber)]).toEqual([[], [1, 2, 3]]);
  });

  test('deaths from outside at any time: they spread over those that are left', async () => {
    const times = fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 5, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(times, async (deaths) => {
        const world = new World();
        for (let n = 0; n < 16; n += 1) world.accept(innocent(n, 200));
        for (const time of deaths) {
          if (world.store.size > 0) await world.live((_, ms) => ms >= time);
        }
        if (world.store.size > 0) await world.live();
        expect(world.finished.length).toBeGreaterThanOrEqual(15);
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});

describe('others wait for it', () => {
  const probationOf = (inFlight = 0, clock = new FakeClock()) => {
    const marks: SuspectMark[] = [];
    const probation = new Probation({
      store: { invocations: { markSuspects: async (_, some) => void marks.push(...some) } },
      clock,
      log: () => undefined,
      inFlight: () => inFlight,
      changed: () => undefined,
    });
    return { probation, marks, clock };
  };

  test('a second, where something is in flight that does not end: then nobody runs alone', async () => {
    const { probation, marks, clock } = probationOf(1);
    probation.add(owner, { n: 7, attempt: 1, outlived: 0 });
    await settle();
    expect([probation.isOpen, clock.waits]).toEqual([false, [1000]]);
    clock.pass(1000);
    await settle();
    expect([probation.isOpen, marks]).toEqual([true, []]);
  });

  test('not when a person waits: the mark is taken away first', async () => {
    const { probation, marks } = probationOf();
    probation.add(owner, { n: 7, attempt: 2, outlived: 0 });
    await settle();
    expect([probation.admits(7), probation.admits(8)]).toEqual([true, false]);
    probation.begun(7);
    await probation.beside(async () => {
      expect(probation.isOpen).toBe(true);
      expect(marks.map(({ isAlone, attempt, outlived }) => [isAlone, attempt, outlived])).toEqual([
        [true, 2, 0],
        [false, 2, 0],
      ]);
    });
  });

  test('one that never begins, or has gone, is passed over', async () => {
    const { probation, clock } = probationOf();
    for (const n of [7, 8]) probation.add(owner, { n, attempt: 1, outlived: 0 });
    await settle();
    clock.pass(10_000);
    await settle();
    expect(probation.admits(8)).toBe(true);
    probation.forget(owner.id);
    await settle();
    expect(probation.isOpen).toBe(true);
  });

  test('an end in peace leaves no mark', async () => {
    const { probation, marks } = probationOf();
    probation.add(owner, { n: 7, attempt: 1, outlived: 0 });
    await settle();
    await probation.close();
    expect(marks.at(-1)).toMatchObject({ n: 7, isAlone: false });
  });
});
