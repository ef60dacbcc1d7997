import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RegistrySources } from '../../../../src/runtime/registry/registry-sources.ts';
import { temporaryFolder } from '../../../support/folder.ts';

function placesWith(text: string): RegistrySources {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, 'weir'));
  writeFileSync(
    join(workspace, 'weir/registries.json'),
    JSON.stringify({ registries: { one: text } }),
  );
  return new RegistrySources({ userFile: join(workspace, 'none.json'), workspace, setting: '{}' });
}

test.each([
  'github:PipedreamHQ/pipedream',
  'github:PipedreamHQ/pipedream#v1',
  'https://github.com/PipedreamHQ/pipedream.git',
  'https://github.com/PipedreamHQ/pipedream',
  'https://github.com/pipedreamhq/pipedream/',
  'ssh://git@github.com/PipedreamHQ/pipedream.git',
  'ssh://git@github.com:22/PipedreamHQ/pipedream.git',
  'git@github.com:PipedreamHQ/pipedream.git',
])('a repository is the same place however it is written: %s', (text) => {
  expect(placesWith(text).has('github:PipedreamHQ/pipedream')).toBe(true);
});

test.each([
  'github:acme/pipedream',
  'https://git.example.com/PipedreamHQ/pipedream.git',
  'npm:@pipedream',
  './pipedream',
])('another place is another one: %s', (text) => {
  expect(placesWith(text).has('github:PipedreamHQ/pipedream')).toBe(false);
});

test("an entry that is no place is named with its file, stands in nobody's way, and can be removed", async () => {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, 'weir'));
  const file = join(workspace, 'weir/registries.json');
  writeFileSync(
    file,
    JSON.stringify({ registries: { ok: './folder', y: 'ssh://-oX/x.git', z: 5 } }),
  );
  const places = new RegistrySources({
    userFile: join(workspace, 'none.json'),
    workspace,
    setting: '{}',
  });
  const [ok, y, z] = places.all();
  expect(ok).toMatchObject({ name: 'ok', place: { kind: 'folder' } });
  for (const [name, one] of Object.entries({ y, z }))
    expect(one?.place).toMatchObject({
      kind: 'unusable',
      why: expect.stringContaining(`The registry ${name} in ${file} cannot be used:`),
    });
  expect(places.has('./folder')).toBe(true);
  expect(() => places.check('./other', 'y')).toThrow('There is a registry y already');
  await places.add(places.check('./other', 'other'), false);
  await places.remove('y');
  await places.remove('z');
  expect(places.all().map(({ name }) => name)).toEqual(['ok', 'other']);
});
