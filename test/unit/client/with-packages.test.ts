import { expect, test } from 'vitest';
import type { Caller } from '../../../src/client/connection.ts';
import { withPackages } from '../../../src/client/with-packages.ts';
import { WeirError } from '../../../src/protocol/errors.ts';

const file = { component_path: '/w/a.mjs' };

/** A runtime that wants a yes first. */
function runtime() {
  const calls: object[] = [];
  const call = ((_name: string, params: { install?: boolean }) => {
    calls.push(params);
    if (params.install === true) return Promise.resolve('deployed');
    const details = [{ message: 'x', package: 'axios@latest' }];
    return Promise.reject(new WeirError('packages_needed', 'It needs axios.', details));
  }) as unknown as Caller['call'];
  return { calls, call };
}

test('asks once, by name, and repeats the call after a yes', async () => {
  const { call, calls } = runtime();
  const asked: unknown[] = [];
  const approved = withPackages({ call }, (packages) => {
    asked.push(packages);
    return Promise.resolve(true);
  });
  expect(await approved('sources.deploy', file)).toBe('deployed');
  expect(asked).toEqual([['axios@latest']]);
  expect(calls).toEqual([file, { ...file, install: true }]);
});

test('a no is the error as it was', async () => {
  const { call, calls } = runtime();
  const refused = withPackages({ call }, () => Promise.resolve(false));
  await expect(refused('sources.deploy', file)).rejects.toMatchObject({ code: 'packages_needed' });
  expect(calls).toHaveLength(1);
});

test('who says install himself is not asked', async () => {
  const { call } = runtime();
  const never = withPackages({ call }, () => Promise.reject(new Error('asked')));
  const quiet = never('components.inspect', { ...file, install: false });
  await expect(quiet).rejects.toMatchObject({ code: 'packages_needed' });
});
