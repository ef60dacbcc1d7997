/** Components saved under their key: publish, deploy and run by key, unpublish. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Component, Source } from '../../src/protocol/catalogue.ts';
import { conformanceWorld } from './conformance/world.ts';
import { cliFile } from '../support/cli.ts';

const world = conformanceWorld();

const source = (version: string, says: string) => `export default {
  name: 'Greeter', key: 'acme-greeter', version: '${version}', type: 'source',
  run() { this.$emit('${says}'); },
}`;

test('a source: a key, its newest version, and a folder that is restarted', async () => {
  const file = await world.file(source('0.0.1', 'one'));
  const made = await world.runtime.weirJson<Component>('publish', file);
  expect(made).toMatchObject({ key: 'acme-greeter', version: '0.0.1', path: file });
  const again = await world.runtime.weir('publish', file);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('0.0.1 already') });

  const first = await world.runtime.weirJson<Source>('deploy', 'acme-greeter');
  expect(await world.emitted(first)).toEqual(['one']);
  await writeFile(file, source('0.0.2', 'two'));
  const newer = await world.runtime.weirJson<Component>('publish', file);
  expect(newer.id).not.toBe(made.id);
  expect(await world.runtime.restData('GET', '/v1/components/acme-greeter')).toMatchObject({
    id: newer.id,
    version: '0.0.2',
  });

  // Nothing is deployed from it, and it is still there.
  await world.runtime.stop();
  await world.start();
  const second = await world.runtime.weirJson<Source>('deploy', 'acme-greeter');
  expect([await world.emitted(first), await world.emitted(second)]).toEqual([['one'], ['two']]);

  expect(await world.runtime.weir('unpublish', 'component', 'acme-greeter')).toMatchObject({
    code: 0,
  });
  expect(await world.runtime.weir('deploy', 'acme-greeter')).toMatchObject({ code: 1 });
  expect(await world.runtime.weir('unpublish', 'component', 'acme-greeter')).toMatchObject({
    code: 1,
  });
  expect(await world.emitted(second)).toEqual(['two']);
});

test('the folder that init makes does not stand in the way of the key', async () => {
  const weir = (...args: string[]) =>
    promisify(execFile)(process.execPath, [cliFile, ...args], {
      cwd: world.folder,
      env: { ...process.env, WEIR_DATA: join(world.folder, 'data') },
    });
  const { stdout } = await weir('init', 'source', 'Acme folder', '--json');
  const { file } = JSON.parse(stdout) as { file: string };
  expect(await world.runtime.weirJson('publish', file)).toMatchObject({ key: 'acme-folder' });
  const deployed = await weir('deploy', 'acme-folder', '--json');
  expect(JSON.parse(deployed.stdout)).toMatchObject({ component_key: 'acme-folder' });
});

test('an action runs by its key', async () => {
  const file = await world.file(`export default {
    name: 'Shout', key: 'acme-shout', version: '1.0.0', type: 'action',
    props: { text: { type: 'string' } },
    run({ $ }) { $.export('$summary', this.text.toUpperCase()); },
  }`);
  await world.runtime.weirJson('publish', file);
  const ran = await world.runtime.weir('run', 'acme-shout', '--prop', 'text=hello');
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('HELLO') });
});

test.each([
  ['no key', `{ name: 'A', version: '1', type: 'source', run() {} }`, 'key'],
  ['no version', `{ name: 'A', key: 'a', type: 'source', run() {} }`, 'version'],
  ['an app', `{ type: 'app', app: 'a' }`, 'app'],
])('%s: not published', async (_name, code, says) => {
  const file = await world.file(`export default ${code}`);
  const run = await world.runtime.weir('publish', file);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(says) });
});
