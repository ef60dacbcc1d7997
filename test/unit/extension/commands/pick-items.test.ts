import { expect, test } from 'vitest';
import {
  fileItem,
  sourceItem,
  webhookItem,
} from '../../../../src/extension/commands/pick-items.ts';
import { componentName } from '../../../../src/extension/problems/find-problems.ts';
import * as make from '../make.ts';

const orders = make.source({ endpoint_url: 'http://127.0.0.1:1/h/hi_1' });

test('a file is named by its component, with its kind and every source that was deployed from it', () => {
  expect(fileItem('Orders', 'source', 'shop/orders.mjs', [])).toEqual({
    label: '$(file-code) Orders',
    description: 'source · shop/orders.mjs',
    detail: 'Not deployed',
  });
  const second = make.source({ id: 'dc_2', name: 'Old', name_slug: 'old', active: false });
  expect(fileItem('Orders', 'source', 'shop/orders.mjs', [orders, second]).detail).toBe(
    'Deployed as Orders (orders · dc_0000001 · active), Old (old · dc_2 · inactive)',
  );
});

test('a file whose text does not say how the component is named has its own name; an action is never deployed', () => {
  expect(fileItem(undefined, 'action', 'shop/post.mjs', [])).toEqual({
    label: '$(zap) post.mjs',
    description: 'action · shop/post.mjs',
    detail: '',
  });
});

test('a source is named with its slug, its id, its state, and the component it is of', () => {
  const source = { ...orders, active: false, component_key: 'shop-orders' };
  expect(sourceItem(source, 'shop/orders.mjs')).toEqual({
    label: '$(globe) Orders',
    description: 'orders · dc_0000001 · inactive',
    detail: 'source · shop/orders.mjs · shop-orders',
  });
  expect(sourceItem(make.source({}), undefined).detail).toBe('source');
});

test('a webhook says where it sends to', () => {
  const webhook = make.webhook({ name: 'Warehouse', url: 'https://example.com/w' });
  expect(webhookItem(webhook)).toMatchObject({
    label: '$(radio-tower) Warehouse',
    detail: 'webhook · https://example.com/w',
  });
});

test.each([
  ["export default { name: 'Orders', run() {} , type: 'source' }", 'Orders'],
  [
    "export default defineSource({\n  type: 'source', key: 'a', name: \"Two words\" })",
    'Two words',
  ],
  ["export default { type: 'source', props: { a: { name: 'Inner' } } }", undefined],
  ["export default { type: 'source', name: `A ${1}` }", undefined],
])('the name of %s', (text, name) => {
  expect(componentName(text)).toBe(name);
});
