/** The store of PostgreSQL as the contract wants it: one that can be opened again, and lose its runtime. */
import { WeirError } from '../../src/protocol/errors.ts';
import { systemClock } from '../../src/runtime/base/clock.ts';
import { joinPostgres, openPostgresStore } from '../../src/runtime/store/postgres/open-store.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import type { StoreNode } from '../../src/runtime/store/store-node.ts';
import type { OpenedStore } from '../store-contract/rules.ts';
import type { NodeStore, TwoNodes } from '../store-contract/two-nodes.ts';
import type { TestPostgres } from './postgres.ts';
import { tcpProxy } from './tcp-proxy.ts';

/** Short, as whoever takes over waits for it. */
const leaseMs = 500;

export async function openedPostgres(postgres: TestPostgres): Promise<OpenedStore> {
  const undo: (() => void | Promise<void>)[] = [];
  const { pathname } = new URL(await postgres.newDatabase());
  const openOne = async () => {
    const proxy = await tcpProxy(
      () => postgres.port,
      (close) => void undo.push(close),
    );
    const opened = await openPostgresStore({
      url: `postgres://weir@127.0.0.1:${proxy.port}${pathname}`,
      clock: systemClock,
      version: 'test',
      leaseMs,
    });
    return { proxy, store: opened };
  };
  let { proxy, store } = await openOne();
  const openAgain = async (): Promise<Store> => {
    ({ proxy, store } = await openOne());
    return store;
  };
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      return openAgain();
    },
    async crash() {
      proxy.cut();
      store.fail(new WeirError('store_failed', 'The runtime was killed.'));
      await store.close().catch(() => undefined);
      return openAgain();
    },
    async end() {
      await store.close().catch(() => undefined);
      for (const one of undo.splice(0)) await one();
    },
  };
}

/** Two runtimes on a new database. */
export async function openedTwoNodes(postgres: TestPostgres): Promise<TwoNodes> {
  const url = await postgres.newDatabase();
  const members = [await joinNode(url), await joinNode(url)] as const;
  return {
    one: await nodeStore(members[0]),
    other: await nodeStore(members[1]),
    async end() {
      for (const member of members) await member.leave().catch(() => undefined);
    },
  };
}

const joinNode = (url: string): Promise<StoreNode> =>
  joinPostgres({ url, clock: systemClock, version: 'test' });

async function nodeStore(member: StoreNode): Promise<NodeStore> {
  const store = await member.openStore();
  if (store.shared === undefined) throw new Error('It is shared.');
  return { ...store, shared: store.shared };
}
