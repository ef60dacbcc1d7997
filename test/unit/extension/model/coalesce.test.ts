import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { coalesce } from '../../../../src/extension/model/coalesce.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('acts at once, and once more for a burst', () => {
  const act = vi.fn<() => void>();
  const { request } = coalesce(act, 100);
  for (let n = 0; n < 50; n++) request();
  expect(act).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  expect(act).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(act).toHaveBeenCalledTimes(2);
});

test('never acts more often than the interval', () => {
  const act = vi.fn<() => void>();
  const { request } = coalesce(act, 100);
  for (let n = 0; n < 100; n++) {
    request();
    vi.advanceTimersByTime(10);
  }
  expect(act).toHaveBeenCalledTimes(11);
});

test('nothing comes after it was disposed', () => {
  const act = vi.fn<() => void>();
  const { request, dispose } = coalesce(act, 100);
  request();
  request();
  dispose();
  vi.advanceTimersByTime(1000);
  expect(act).toHaveBeenCalledTimes(1);
});
