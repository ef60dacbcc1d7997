import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createComponents } from '../../src/runtime/components/deployments/components.ts';
import { temporaryFolder } from '../support/folder.ts';

/** The project's own Node, which runs TypeScript. */
const node = join('node_modules', '.bin', 'node');
const script = join('test', 'fixtures', 'components', 'build-forever.mts');

test('kill -9 while building: what was acknowledged is whole, and nothing half is left', async () => {
  const project = temporaryFolder();
  const folder = join(project, '.weir', 'deployments');
  const acknowledged = new Set<string>();

  // Each round is killed a little later within its last build.
  for (let round = 0; round < 6; round++) {
    const child = spawn(node, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', script, project], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let builds = 0;
    for await (const hash of createInterface({ input: child.stdout })) {
      acknowledged.add(hash);
      if (++builds === 4) setTimeout(() => child.kill('SIGKILL'), round * 2);
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
  }

  const components = createComponents({
    folder,
    packagesFolder: join(project, '.weir', 'packages'),
    hosts: { start: () => Promise.reject(new Error('no host in this test')) },
  });
  expect(acknowledged.size).toBeGreaterThanOrEqual(4);
  for (const hash of acknowledged) {
    const deployment = await components.get(hash);
    expect(deployment).toMatchObject({ hash, path: join(project, 'a.mjs') });
    expect((await stat(deployment!.bundle)).size).toBeGreaterThan(0);
  }
  for (const name of await readdir(folder)) expect(await components.get(name)).toBeDefined();
});
