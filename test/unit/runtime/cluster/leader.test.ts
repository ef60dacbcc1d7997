import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/runtime/base/clock.ts';
import { Leader, type LeaderOptions } from '../../../../src/runtime/cluster/leader.ts';
import { nodeProtocol } from '../../../../src/runtime/cluster/node-protocol.ts';
import type { Peers } from '../../../../src/runtime/cluster/peers.ts';
import { RemoteRuns } from '../../../../src/runtime/cluster/relayed-signals.ts';

const other = { id: 2, address: 'other:1', isLate: false };

/** Of which ten seconds go by in one. */
const quick: LeaderOptions['clock'] = {
  now: () => systemClock.now(),
  after: (ms, then) => systemClock.after(ms / 10, then),
  elapsed: () => systemClock.elapsed() * 10,
};

/** A node that leads, and owns what `here` says, beside one that answers all it is asked. */
function world(
  given: Partial<LeaderOptions> & {
    readonly nodes?: (typeof other)[];
    readonly refresh?: () => Promise<void>;
    /** Of the other one; null: it says none. */
    readonly protocol?: number | null;
  },
) {
  const asked: string[] = [];
  const met: unknown[] = [];
  const logged: string[] = [];
  const here = new Set<string>(given.here?.() ?? []);
  let nodes = given.nodes ?? [other];
  const peer = {
    call: async (name: string, params: { readonly id?: string } | null) => {
      if (params?.id !== undefined) asked.push(`${name} ${params.id}`);
      if (name === 'refresh') await given.refresh?.();
      if (name === 'ping') return { owned: owned() };
      if (name === 'meet') {
        met.push(params);
        const { protocol = nodeProtocol } = given;
        return { owned: [], ...(protocol !== null && { protocol }) };
      }
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
    log: (_, text) => void logged.push(text),
    runs: new RemoteRuns(),
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
  return { leader, here, asked, met, fenced, logged };
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

test.each([nodeProtocol - 1, nodeProtocol + 1, null])(
  'a node of another version (%s) is given nothing, told once, and stays',
  async (protocol) => {
    const { leader, asked, met, fenced, logged } = world({
      here: () => ['dc_1', 'dc_2', 'dc_3'],
      protocol,
      clock: quick,
    });
    await leader.start();
    expect(met[0]).toEqual({ leader: 'this:1', isWatched: false, protocol: nodeProtocol });
    // It owns nothing, so that there is nothing to take from it, for however many leases.
    await expect.poll(() => met.length).toBeGreaterThan(5);
    expect(asked).toEqual([]);
    expect(leader.addresses()).toEqual([]);
    expect(fenced).toEqual([]);
    expect(logged).toEqual([expect.stringContaining('another version of Weir')]);
    await leader.barrier();
  },
);

test('what a node of another version owns is taken from it after a lease', async () => {
  const { leader, here, fenced, logged } = world({
    emitters: () => ['dc_1'],
    shared: {
      changes: 0,
      owners: async () => (fenced.length === 0 ? [{ id: 'dc_1', node: 2 }] : []),
    },
    protocol: nodeProtocol - 1,
    clock: quick,
  });
  await leader.start();
  expect(fenced).toEqual([]);
  expect(leader.addresses()).toEqual(['other:1']);
  await expect.poll(() => here).toEqual(new Set(['dc_1']));
  expect(fenced).toEqual([2]);
  expect(logged.at(-1)).toMatch(
    /other:1 is of another version of Weir: what it ran runs elsewhere/,
  );
});
