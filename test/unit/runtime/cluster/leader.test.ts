import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { Leader, type LeaderOptions } from '../../../../src/runtime/cluster/leader.ts';
import type { Peers } from '../../../../src/runtime/cluster/peers.ts';
import { RunsElsewhere } from '../../../../src/runtime/cluster/told-signals.ts';

const other = { id: 2, address: 'other:1', isLate: false };

/** A node that leads, and owns what `here` says, beside one that answers all it is asked. */
function world(
  given: Partial<LeaderOptions> & {
    readonly nodes?: (typeof other)[];
    readonly refresh?: () => Promise<void>;
  },
) {
  const asked: string[] = [];
  const here = new Set<string>(given.here?.() ?? []);
  let nodes = given.nodes ?? [other];
  const peer = {
    call: async (name: string, params: { readonly id?: string } | null) => {
      if (params?.id !== undefined) asked.push(`${name} ${params.id}`);
      if (name === 'refresh') await given.refresh?.();
      if (name === 'ping' || name === 'meet') return { owned: owned() };
      return { isReleased: true };
    },
    tell: () => undefined,
    onClose: () => undefined,
  };
  const owned = (): string[] =>
    asked.filter((one) => one.startsWith('take ')).map((one) => one.slice('take '.length));
  const fenced: number[] = [];
  const leader = new Leader({
    node: {
      id: 1,
      address: 'this:1',
      leaseMs: 1000,
      nodes: async () => nodes,
      fence: async (id) => void fenced.push(id),
      fenceLate: async () => {
        fenced.push(...nodes.filter(({ isLate }) => isLate).map(({ id }) => id));
        nodes = nodes.filter(({ isLate }) => !isLate);
      },
    },
    peers: { to: async () => peer, forget: async () => undefined } as unknown as Peers,
    shared: { changes: 0, owners: async () => [] },
    flush: async () => undefined,
    clock: systemClock,
    log: () => undefined,
    runs: new RunsElsewhere(),
    isFollowed: () => false,
    emitters: () => [...here],
    movable: () => [...here],
    bound: () => [],
    take: async (id) => void here.add(id),
    release: async (id) => here.delete(id),
    ...given,
    here: () => [...here],
  });
  onTestFinished(() => leader.close());
  return { leader, here, asked, fenced };
}

test('what somebody works with stays here, also when it was about to move', async () => {
  let goOn: () => void = () => undefined;
  const released: string[] = [];
  const { leader, asked } = world({
    here: () => ['dc_1', 'dc_2', 'dc_3', 'dc_4'],
    release: async (id) => {
      released.push(id);
      await new Promise<void>((resolve) => (goOn = resolve));
      return true;
    },
  });
  await leader.start();
  await expect.poll(() => released).toEqual(['dc_4']);
  const letGo = await leader.bring('dc_3');
  goOn();
  await expect.poll(() => asked).toEqual(['take dc_4']);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(released).toEqual(['dc_4']);
  letGo();
});

test('whoever works with a source that moves waits until it has moved, and has it back', async () => {
  let goOn: () => void = () => undefined;
  const { leader, here, asked } = world({
    here: () => ['dc_1', 'dc_2'],
    release: async (id) => {
      await new Promise<void>((resolve) => (goOn = resolve));
      return here.delete(id);
    },
  });
  await leader.start();
  const brought = leader.bring('dc_2');
  goOn();
  await brought;
  expect(asked).toEqual(['take dc_2', 'release dc_2']);
  expect(here).toEqual(new Set(['dc_1', 'dc_2']));
});

test('a source that nobody owns is taken', async () => {
  const { leader, here } = world({ nodes: [], emitters: () => ['dc_1'] });
  await leader.start();
  expect(here).toEqual(new Set(['dc_1']));
});

test('a node that the database does not hear of is fenced, though it answers', async () => {
  const { leader, here, fenced } = world({
    nodes: [{ ...other, isLate: true }],
    emitters: () => ['dc_1'],
    shared: {
      changes: 0,
      owners: async () => (fenced.length === 0 ? [{ id: 'dc_1', node: 2 }] : []),
    },
  });
  await leader.start();
  expect(fenced).toEqual([2]);
  expect(here).toEqual(new Set(['dc_1']));
});

test('what changes while a node is met is read by it before the change is answered', async () => {
  const nodes: (typeof other)[] = [];
  const shared = { changes: 0, owners: async () => [] };
  const goOn: (() => void)[] = [];
  const { leader } = world({
    nodes,
    shared,
    refresh: () => new Promise((resolve) => goOn.push(resolve)),
  });
  await leader.start();
  nodes.push(other);
  await expect.poll(() => goOn).toHaveLength(1);
  shared.changes += 1;
  let isAnswered = false;
  const answered = leader.barrier().then(() => (isAnswered = true));
  await expect.poll(() => goOn).toHaveLength(2);
  goOn[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isAnswered).toBe(false);
  goOn[1]?.();
  await answered;
});
