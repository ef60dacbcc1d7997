import { expect, test } from 'vitest';
import { unwrapLabel } from '../../../../../src/component/host/instance/prop-values.ts';

const a = { label: 'A', value: 1 };
const b = { label: 'B', value: { deep: true } };

test.for<[configured: unknown, bare: unknown, labelled: unknown]>([
  [{ __lv: a }, 1, a],
  [{ __lv: [a, b] }, [1, { deep: true }], [a, b]],
  [
    [{ __lv: a }, 'plain'],
    [1, 'plain'],
    [a, 'plain'],
  ],
  [{ __lv: 'bare' }, 'bare', 'bare'],
  [a, a, a],
  ['x', 'x', 'x'],
  [null, null, null],
  [undefined, undefined, undefined],
  [{ __lv: { label: 'only' } }, { label: 'only' }, { label: 'only' }],
])('%j', ([configured, bare, labelled]) => {
  expect(unwrapLabel(configured, false)).toEqual(bare);
  expect(unwrapLabel(configured, true)).toEqual(labelled);
});
