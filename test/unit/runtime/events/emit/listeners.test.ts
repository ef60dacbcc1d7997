import { expect, test } from 'vitest';
import { Listeners } from '../../../../../src/runtime/events/emit/listeners.ts';
import type { SubscriptionRecord } from '../../../../../src/runtime/store/configuration/subscriptions.ts';

function listeners(...subscriptions: [emitter: string, listener: string, channel?: string][]) {
  const records: SubscriptionRecord[] = subscriptions.map(
    ([emitterId, listenerId, channel = ''], i) => ({
      id: `sub_${i}`,
      emitterId,
      listenerId,
      channel,
    }),
  );
  const off = new Set<string>();
  return {
    records,
    off,
    index: new Listeners({ subscriptions: () => records, listens: (id) => !off.has(id) }),
  };
}

test('webhooks and sources of an emitter, in the order of their subscriptions', () => {
  const { index } = listeners(
    ['dc_a', 'wh_1'],
    ['dc_a', 'dc_b'],
    ['dc_a', 'wh_2'],
    ['dc_x', 'wh_3'],
  );
  expect(index.of('dc_a', '')).toEqual({ webhooks: ['wh_1', 'wh_2'], triggers: ['dc_b'] });
  expect(index.of('dc_nobody', '')).toEqual({ webhooks: [], triggers: [] });
});

test('a channel reaches its own listeners only, both ways', () => {
  const { index } = listeners(['dc_a', 'wh_default'], ['dc_a', 'wh_new', 'new']);
  expect(index.of('dc_a', '').webhooks).toEqual(['wh_default']);
  expect(index.of('dc_a', 'new').webhooks).toEqual(['wh_new']);
  expect(index.of('dc_a', 'other').webhooks).toEqual([]);
});

test('a glob has every source, and one listener gets an event once', () => {
  const { index } = listeners(['dc_*', 'wh_1'], ['dc_a', 'wh_1'], ['p_*', 'wh_2']);
  expect(index.of('dc_a', '').webhooks).toEqual(['wh_1']);
  expect(index.of('dc_new', '').webhooks).toEqual(['wh_1']);
  expect(index.of('p_1', '').webhooks).toEqual(['wh_2']);
});

test('a source listens to itself by its id, never through a glob', () => {
  const { index } = listeners(['dc_*', 'dc_a'], ['dc_b', 'dc_b']);
  expect(index.of('dc_a', '').triggers).toEqual([]);
  expect(index.of('dc_b', '').triggers).toEqual(['dc_a', 'dc_b']);
});

test('what is switched off gets nothing, and a change is seen', () => {
  const { index, records, off } = listeners(['dc_a', 'wh_1']);
  expect(index.of('dc_a', '').webhooks).toEqual(['wh_1']);
  off.add('wh_1');
  records.push({ id: 'sub_9', emitterId: 'dc_a', listenerId: 'wh_9', channel: '' });
  index.changed();
  expect(index.of('dc_a', '').webhooks).toEqual(['wh_9']);
});
