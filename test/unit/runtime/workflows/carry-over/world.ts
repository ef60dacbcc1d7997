/** Carry-overs on a real store, and a step run in the stand-in for the platform. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Accounts } from '../../../../../src/runtime/accounts/accounts.ts';
import { Environment } from '../../../../../src/runtime/accounts/environment/environment.ts';
import { createSealer } from '../../../../../src/runtime/accounts/seal.ts';
import { DataStores } from '../../../../../src/runtime/components/data-stores/data-stores.ts';
import { CarryOvers } from '../../../../../src/runtime/workflows/carry-over/carry-overs.ts';
import { planOf, type Needs } from '../../../../../src/runtime/workflows/carry-over/plan.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { type PlatformWorld, runPlatformStep } from '../../../../support/platform-step.ts';
import { newStore } from '../../../../support/store.ts';

export const usualNeeds: Needs = {
  workflow: 'Orders\n*/ evil()',
  accounts: [
    { id: 'apn_slack', app: 'slack', step: 'post' },
    { id: 'apn_shop', app: 'shop-x', step: 'fetch' },
    { id: 'apn_nobody', app: undefined, step: 'fetch' },
  ],
  variables: ['SHOP_KEY', 'UNSET'],
  stores: [{ id: 'ds_orders', step: 'save' }],
  files: true,
};

export const usualWorld: PlatformWorld = {
  accounts: {
    a0_slack: { oauth_access_token: 'xoxb-marker', oauth_uid: 'U1' },
    a1_shop_x: { api_key: 'key-marker', domain: 'shop.example' },
  },
  stores: {
    s0: [
      ['order-7', { note: 'record-marker' }],
      ['Grüße', [1, null]],
      ['', 'empty'],
    ],
  },
  files: {
    'a.txt': Buffer.from('file-marker').toString('base64'),
    'deep/b.bin': randomBytes(1_300_000).toString('base64'),
    'empty.txt': '',
  },
  env: { SHOP_KEY: 'env-marker' },
};

export const markers = ['xoxb-marker', 'key-marker', 'record-marker', 'file-marker', 'env-marker'];

export async function carryWorld() {
  const { store } = await newStore();
  const folder = temporaryFolder();
  let time = Date.now();
  const now = () => time;
  const sealer = createSealer({ bytes: randomBytes(32), origin: 'a test' });
  const accounts = new Accounts({
    table: store.accounts,
    sealer,
    now,
    newId: () => `apn_new${randomBytes(4).toString('hex')}`,
  });
  const environment = new Environment({
    settings: store.settings,
    sealer,
    file: undefined,
    warn: () => undefined,
    now,
  });
  const filesDir = join(folder, 'file-store');
  const carryOvers = new CarryOvers({
    settings: store.settings,
    sealer,
    accounts,
    environment,
    stores: store.dataStores,
    dataStores: new DataStores({
      table: store.dataStores,
      now,
      newId: () => `ds_new${randomBytes(4).toString('hex')}`,
    }),
    filesDir,
    dataFolder: folder,
    now,
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    accountMade: () => undefined,
    environmentChanged: () => undefined,
    storeChanged: () => undefined,
  });
  return {
    store,
    accounts,
    environment,
    carryOvers,
    filesDir,
    folder,
    pass: (ms: number) => (time += ms),
    begin: (needs: Needs = usualNeeds) => carryOvers.begin(planOf([needs]), 'paste', 14),
    files: () => readdirSync(filesDir, { recursive: true }).map(String).sort(),
    fileText: (path: string) => readFileSync(join(filesDir, path)),
  };
}

/** What a test of the step returns to be copied, and everything that the platform keeps of it. */
export async function handOver(
  code: string,
  world: PlatformWorld = usualWorld,
  event: unknown = {},
) {
  const run = await runPlatformStep(code, world, event);
  if (run.error !== undefined) throw new Error(run.error);
  const { copy, next } = run.returned as { copy: string; next: unknown };
  return { text: copy, next, kept: JSON.stringify(run) };
}
