import { totalmem } from 'node:os';
import { expect, test } from 'vitest';
import { serverMemoryMb } from '../../../../src/runtime/base/server-memory.ts';

test.for<[string, number]>([
  ['512mb', 512],
  ['512MB', 512],
  ['64m', 64],
  [' 2gb ', 2048],
  ['1.5G', 1536],
])('P22.10 %j is %d MB', ([text, expected]) => {
  expect(serverMemoryMb(text)).toBe(expected);
});

test.for(['', '512', '63mb', '-1gb', 'much', '512kb', '1e3mb', '0x40mb'])(
  '%j is refused',
  (text) => {
    expect(() => serverMemoryMb(text)).toThrow(`"${text}" is not an amount of memory.`);
  },
);

test('P22.10 it is that of the machine at most', () => {
  const own = serverMemoryMb(undefined);
  expect(own).toBeGreaterThanOrEqual(64);
  expect(own).toBeLessThanOrEqual(totalmem() / 1024 / 1024);
});
