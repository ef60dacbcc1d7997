import { expect, test } from 'vitest';
import { nameOf, Runtimes, urlProblem } from '../../../../src/extension/remote/runtimes.ts';
import { originOf, projectName } from '../../../../src/extension/remote/project-name.ts';

const kept = () => {
  const memory = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const runtimes = new Runtimes(
    {
      get: (key: string) => memory.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
    } as never,
    {
      get: (key: string) => Promise.resolve(secrets.get(key)),
      store: (key: string, value: string) => Promise.resolve(void secrets.set(key, value)),
    } as never,
  );
  return { runtimes, memory, secrets };
};

test('addresses and keys are in the secret storage alone', async () => {
  const { runtimes, memory, secrets } = kept();
  await runtimes.add('/w/.weir', { name: 'box', url: 'https://box.example', key: 'weir_s3same' });
  await runtimes.choose('/w/.weir', 'box');
  expect(runtimes.chosen('/w/.weir')).toBe('box');
  expect(runtimes.hasAny('/w/.weir')).toBe(true);
  expect(JSON.stringify([...memory])).not.toMatch(/s3same|https/);
  expect(JSON.stringify([...secrets])).toContain('weir_s3same');
});

test('each folder has its own; one that is forgotten is no longer used', async () => {
  const { runtimes, secrets } = kept();
  await runtimes.add('/w/.weir', { name: 'box', url: 'https://box.example', key: 'k1' });
  await runtimes.add('/w/.weir', { name: 'new', url: 'https://box.example', key: 'k2' });
  expect(await runtimes.list('/w/.weir')).toEqual([
    { name: 'new', url: 'https://box.example', key: 'k2' },
  ]);
  expect(await runtimes.list('/x/.weir')).toEqual([]);
  await runtimes.choose('/w/.weir', 'new');
  await runtimes.forget('/w/.weir', 'new');
  expect(runtimes.chosen('/w/.weir')).toBeUndefined();
  expect(runtimes.hasAny('/w/.weir')).toBe(false);
  expect(JSON.stringify([...secrets])).not.toContain('k2');
});

test('a name is the host, with a number where it is taken', () => {
  expect(nameOf('https://box.example:8443', [])).toBe('box.example:8443');
  expect(nameOf('https://box.example', ['box.example', 'box.example (2)'])).toBe('box.example (3)');
});

test.each([
  ['https://weir.example.com', undefined],
  ['http://127.0.0.1:7787', undefined],
  ['http://localhost:7787', undefined],
  ['http://weir.example.com', 'Use https://'],
  ['http://localhost.evil.example', 'Use https://'],
  ['weir.example.com', 'Start it with https:// or http://.'],
  ['127.0.0.1:47850', 'Start it with https:// or http://.'],
  ['localhost:47850', 'Start it with https:// or http://.'],
  ['ftp://weir.example.com', 'Start it with https:// or http://.'],
  ['https://', 'This is not an address.'],
])('%s as an address', (text, problem) => {
  if (problem === undefined) expect(urlProblem(text)).toBeUndefined();
  else expect(urlProblem(text)).toContain(problem);
});

test.each([
  ['https://github.com/ada/shop.git', 'github.com/ada/shop'],
  ['git@github.com:ada/shop.git', 'github.com/ada/shop'],
  ['ssh://git@github.com/ada/shop/', 'github.com/ada/shop'],
])('the origin %s is that of every clone', (url, expected) => {
  const config = `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs\n[branch "main"]\n\tremote = origin\n`;
  expect(originOf(config)).toBe(expected);
});

test('without an origin there is none', () => {
  expect(originOf('[core]\n[remote "fork"]\n\turl = https://x/y\n')).toBeUndefined();
  expect(originOf('')).toBeUndefined();
});

test('the name of a project is readable, and another one for another repository', () => {
  expect(projectName('Shop & Söhne', 'github.com/ada/shop ')).toMatch(/^shop-s-hne-[0-9a-f]{12}$/);
  expect(projectName('shop', 'a')).not.toBe(projectName('shop', 'b'));
  expect(projectName('日本', 'a')).toMatch(/^[0-9a-f]{12}$/);
});
