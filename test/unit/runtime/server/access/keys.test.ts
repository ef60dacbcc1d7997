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
  expect(keys.callerOf(key)).toMatchObject({ name: 'ada', scope: 'deploy' });
  const kept = [...settings.values()].join();
  expect(kept).not.toContain(key.slice(5));
  expect(kept).toContain(createHash('sha256').update(key).digest('hex'));
  expect(open(settings).keys.callerOf(key)).toMatchObject({ name: 'ada', scope: 'deploy' });
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
  expect(keys.callerOf(other.key)).toMatchObject({ name: 'bob', scope: 'read' });
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

test('a write that fails takes back nothing that another has stored', async () => {
  const writes: { text: string; settle: (error?: Error) => void }[] = [];
  const keys = new Keys({
    settings: {
      get: () => undefined,
      set: (_name, text) =>
        new Promise((resolve, reject) => {
          writes.push({ text, settle: (error) => (error ? reject(error) : resolve()) });
        }),
    },
    now: () => 0,
    random: randomBytes,
  });
  const settle = async (error?: Error): Promise<void> => {
    await expect.poll(() => writes.length).toBe(1);
    writes.shift()?.settle(error);
  };
  const bob = keys.add('bob', 'admin');
  await settle();
  const { key } = await bob;
  const ada = keys.add('ada', 'read');
  const removed = keys.remove('bob');
  expect(keys.callerOf(key)).toBeUndefined();
  const refused = ada.catch((error: unknown) => error);
  await settle(new Error('full'));
  expect(await refused).toEqual(new Error('full'));
  await settle();
  await removed;
  expect(keys.list()).toEqual([]);
  expect(keys.callerOf(key)).toBeUndefined();
});

test('a removal that is not stored leaves the key as it was', async () => {
  const stored = new Map<string, string>();
  const state = { isFull: false };
  const keys = new Keys({
    settings: {
      get: (name) => stored.get(name),
      set: async (name, text) => {
        if (state.isFull) throw new Error('full');
        stored.set(name, text);
      },
    },
    now: () => 0,
    random: randomBytes,
  });
  const gone: unknown[] = [];
  keys.onRemoved((caller) => gone.push(caller));
  const { key } = await keys.add('ada', 'read');
  state.isFull = true;
  await expect(keys.remove('ada')).rejects.toThrow('full');
  const caller = keys.callerOf(key);
  expect(caller?.removed?.aborted).toBe(false);
  expect(gone).toEqual([]);
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
