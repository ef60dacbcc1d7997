import { expect, test } from 'vitest';
import {
  parseRuntimeKey,
  runtimeKey,
  titleAt,
} from '../../../../src/extension/connection/runtime-identity.ts';

test.each([
  ['/w/.weir', undefined],
  [String.raw`C:\w\.weir`, undefined],
  ['/home/ada@work/.weir', undefined],
  ['/w/.weir', 'production'],
  ['/home/ada@work/.weir', 'weir.example.com:8443 (2)'],
  [String.raw`C:\ada@work\.weir`, 'a/b@c\\d'],
])('%s at %s is read as it was written', (dataFolder, remote) => {
  expect(parseRuntimeKey(runtimeKey({ dataFolder, remote }))).toEqual({ dataFolder, remote });
});

test('a key of nobody names no other runtime', () => {
  expect(parseRuntimeKey('%zz@/w/.weir')).toEqual({
    dataFolder: '%zz@/w/.weir',
    remote: undefined,
  });
});

test('a tab names the runtime when it is another than the folder’s own', () => {
  expect(titleAt({ remote: 'production' }, 'orders', 'exec_25')).toBe(
    'orders · exec_25 · production',
  );
  expect(titleAt({ remote: undefined }, 'orders', 'exec_25')).toBe('orders · exec_25');
});
