import { expect, onTestFinished, test } from 'vitest';
import { claimQueuedRuns } from '../../../../src/runtime/cluster/queued-runs.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

type Left = Parameters<Parameters<typeof claimQueuedRuns>[0]['run']>[0];

const runs = (...numbers: number[]): Left =>
  numbers.map((n) => ({
    n,
    emitterId: 'dc_1',
    createdAt: 1,
    trigger: { kind: 'event', json: '{}' },
  }));

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A store that gives out these, look by look. */
function world(...looks: (Left | Error)[]) {
  const clock = new FakeClock();
  const run: number[] = [];
  const failed: unknown[] = [];
  let looked = 0;
  const left = claimQueuedRuns({
    shared: {
      takeLeft: async () => {
        const found = looks[looked++] ?? [];
        if (found instanceof Error) throw found;
        return found;
      },
    },
    clock,
    run: (taken) => run.push(...taken.map(({ n }) => n)),
    failed: (error) => failed.push(error),
  });
  onTestFinished(() => left.close());
  return { left, clock, run, failed, looked: () => looked };
}

test('(37) without a ring it looks twice a second, and at once for what may be left', async () => {
  const { clock, run, looked } = world(runs(1, 2), runs(3));
  expect(clock.ring()).toBe(500);
  await turn();
  expect(run).toEqual([1, 2, 3]);
  // The last look found nothing.
  expect(looked()).toBe(3);
  expect(clock.ring()).toBe(500);
});

test('rings while it looks are one more look', async () => {
  const { left, run, looked } = world([], runs(1));
  for (let i = 0; i < 5; i++) left.look();
  await turn();
  expect([run, looked()]).toEqual([[1], 3]);
});

test('a look that fails is told, and there is another one', async () => {
  const { clock, run, failed } = world(new Error('gone'), runs(1));
  clock.ring();
  await turn();
  expect(failed).toEqual([new Error('gone')]);
  clock.ring();
  await turn();
  expect(run).toEqual([1]);
});

test('closed it takes up nothing more', async () => {
  const { left, run, looked } = world(runs(1));
  left.close();
  left.look();
  await turn();
  expect([run, looked()]).toEqual([[], 0]);
});
