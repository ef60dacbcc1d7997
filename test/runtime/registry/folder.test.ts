/** A folder as a registry: what a search names can be looked at, added and deployed by that name. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { OfferedComponent } from '../../../src/protocol/catalogue.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startRuntime } from '../../support/runtime.ts';

test('what a search of a folder names is shown, added and deployed by that name', async () => {
  const place = temporaryFolder();
  const file = join(place, 'acme', 'sources', 'new-order', 'new-order.mjs');
  await mkdir(dirname(file), { recursive: true });
  const code = `export default { key: 'acme-new-order', name: 'New Order', version: '0.2.0', type: 'source',
  props: { db: '$.service.db' }, run() { this.$emit({}); } };`;
  await writeFile(file, code);
  const runtime = await startRuntime({ folder: temporaryFolder() });
  await runtime.weir('registry', 'add', place);

  const { components } = await runtime.weirJson<{ components: OfferedComponent[] }>(
    'search',
    'order',
  );
  const reference = components[0]?.reference ?? '';
  expect(reference).toBe('acme-new-order@0.2.0');
  expect(await runtime.weirJson('info', reference)).toMatchObject({ code });
  expect((await runtime.weir('add', reference, '--yes')).code).toBe(0);
  const deployed = await runtime.weir('deploy', reference, '--yes', '--json');
  expect(JSON.parse(deployed.stdout)).toMatchObject({ component_key: 'acme-new-order' });
});
