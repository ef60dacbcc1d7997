import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { refuseScope } from '../../../../../src/runtime/server/access/caller.ts';
import { Keys } from '../../../../../src/runtime/server/access/keys.ts';

function open(settings = new Map<string, string>()) {
  const keys = new Keys({
    settings: {
      get: (name) => settings.get(name),
      set: (name, value) => Promise.resolve(void settings.set(name, value)),
    },
    now: () => 1000,
    random: randomBytes,
  });
  return { keys, settings };
}

test('a key is known by itself, also after a restart, and only its hash is kept', async () => {
  const { keys, settings } = open();
  const { key } = await keys.add('ada', 'deploy');
  expect(key).toMatch(/^weir_[\w-]{43}$/);
  expect(keys.callerOf(key)).toEqual({ name: 'ada', scope: 'deploy' });
  const kept = [...settings.values()].join();
  expect(kept).not.toContain(key.slice(5));
  expect(kept).toContain(createHash('sha256').update(key).digest('hex'));
  expect(open(settings).keys.callerOf(key)).toEqual({ name: 'ada', scope: 'deploy' });
  expect(keys.callerOf(`${key}x`)).toBeUndefined();
  expect(keys.callerOf('')).toBeUndefined();
});

test('one that was removed opens nothing, and who used it is told of', async () => {
  const { keys, settings } = open();
  const gone: unknown[] = [];
  keys.onRemoved((caller) => gone.push(caller));
  const { key } = await keys.add('ada', 'read');
  const caller = keys.callerOf(key);
  const other = await keys.add('bob', 'read');
  await keys.remove('ada');
  expect(keys.callerOf(key)).toBeUndefined();
  expect(gone).toHaveLength(1);
  expect(gone[0]).toBe(caller);
  expect(open(settings).keys.callerOf(key)).toBeUndefined();
  expect(keys.callerOf(other.key)).toEqual({ name: 'bob', scope: 'read' });
});

test('a write that fails changes nothing', async () => {
  const { keys } = open();
  const full = new Keys({
    settings: { get: () => undefined, set: () => Promise.reject(new Error('full')) },
    now: () => 0,
    random: randomBytes,
  });
  await expect(full.add('ada', 'read')).rejects.toThrow('full');
  expect(full.list()).toEqual([]);
  expect(keys.list()).toEqual([]);
});

test.each([
  ['', /not a name/],
  [' ada', /not a name/],
  ['a'.repeat(64), /not a name/],
  ['a\nb', /not a name/],
  ['local', /runtime\.json/],
  ['taken', /already/],
])('a name that cannot be one: %j', async (name, sentence) => {
  const { keys } = open();
  await keys.add('taken', 'read');
  await expect(keys.add(name, 'read')).rejects.toThrow(sentence);
});

test.each([
  [undefined, 'read', false],
  ['read', 'read', true],
  ['read', 'deploy', false],
  ['read', 'admin', false],
  ['deploy', 'read', true],
  ['deploy', 'deploy', true],
  ['deploy', 'admin', false],
  ['admin', 'deploy', true],
  ['admin', 'admin', true],
] as const)('%s asks for what needs %s: %s', (granted, needed, passes) => {
  const refused = refuseScope('x.y', { name: 'ada', scope: granted }, needed);
  expect(refused === undefined).toBe(passes);
  if (!passes) expect(refused).toMatchObject({ code: 'forbidden', status: 403 });
});
