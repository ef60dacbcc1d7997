import { expect, test } from 'vitest';
import { SavedComponents } from '../../../../src/runtime/components/saved-components.ts';
import { definition } from '../../../support/records.ts';
import { newStore } from '../../../support/store.ts';

test('code is removed when nobody adds any, and none is looked for meanwhile', async () => {
  const { store } = await newStore();
  const order: string[] = [];
  let removed: () => void = () => undefined;
  const saved = new SavedComponents({
    store,
    components: {
      remove: async (hashes) => {
        order.push(`removing ${hashes.join()}`);
        await new Promise<void>((resolve) => (removed = resolve));
        order.push('removed');
      },
    },
    newId: () => 'sc_1',
    now: () => 0,
    log: (level, text) => void order.push(`${level}: ${text}`),
  });
  const record = { id: 'sc_1', hash: 'h1', path: null, definition, createdAt: 0 };
  let added: () => void = () => undefined;
  const going = new Promise<void>((resolve) => (added = resolve));
  await store.components.ensure(record);
  const first = saved.adding(async () => {
    await going;
    order.push('added');
  });
  await saved.removeUnused();
  expect(order).toEqual([]);
  added();
  await expect.poll(() => order).toEqual(['added', 'removing h1']);
  const second = saved.adding(async () => void order.push('the next'));
  await store.flush();
  removed();
  await Promise.all([first, second]);
  expect(order).toEqual(['added', 'removing h1', 'removed', 'the next']);
});
