/** Where an import says that missing components may be: in npm packages that exist, and in the platform's repository. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Result } from '../../../src/protocol/catalogue.ts';
import { npmWorld } from '../registry/npm-world.ts';

// Each npm is a program that starts.
vi.setConfig({ testTimeout: 120_000 });
const world = npmWorld();
type Report = Result<'imports.run'>;

const yaml = `schema: workflow/2022.04
name: Grinding
triggers:
  - uses: $.interface.http
steps:
  - namespace: grind
    uses: stone_mill-grind-corn@0.1.0
  - namespace: gone
    uses: no_such_app-do-it@0.1.0
`;

async function flowsIn(folder: string): Promise<string> {
  const flows = join(folder, 'flows');
  await mkdir(join(flows, 'a'), { recursive: true });
  await writeFile(join(flows, 'a', 'workflow.yaml'), yaml);
  return flows;
}

test('P25.112: only packages that the registry has are named, in the report, its texts and its questions', async () => {
  const one = { name: '@pipedream/stone_mill', version: '1.0.0', key: 'stone_mill-new-flour' };
  await world.publish(one);
  const { runtime, folder } = await world.colleague();
  const flows = await flowsIn(folder);
  const report = await runtime.restData<Report>('POST', '/v1/imports', { folder: flows });
  expect(report.packages).toEqual(['@pipedream/stone_mill']);
  expect(report.offers_public_components).toBe(true);
  expect(report.markdown).toContain('`npm install @pipedream/stone_mill`');
  expect(report.markdown).toContain('Pipedream Source Available License Version 1.0');
  expect(JSON.stringify(report)).not.toContain('@pipedream/no_such_app');
  const { stdout } = await runtime.weir('import', flows, '--yes');
  expect(stdout).toMatch(/npm install @pipedream\/stone_mill$/m);
  expect(stdout).toContain('weir registry add github:PipedreamHQ/pipedream');
  expect(stdout).toContain('Pipedream Source Available License Version 1.0');
});

test('P25.112: a repository that is a registry already is not offered', async () => {
  const registries = {
    registries: { theirs: 'ssh://git@github.com/PipedreamHQ/pipedream#master' },
  };
  const { runtime, folder } = await world.colleague();
  await writeFile(join(folder, 'weir/registries.json'), JSON.stringify(registries));
  const flows = await flowsIn(folder);
  const report = await runtime.restData<Report>('POST', '/v1/imports', { folder: flows });
  expect(report.offers_public_components).toBe(false);
  expect(report.markdown).not.toContain('weir registry add');
});

test('P25.112: where the registry does not answer, no package is named, and the report is there', async () => {
  const { runtime, folder } = await world.colleague({ ownCache: true });
  await world.registry.kill();
  const flows = await flowsIn(folder);
  const report = await runtime.restData<Report>('POST', '/v1/imports', { folder: flows });
  expect([report.packages, report.workflows[0]?.state]).toEqual([[], 'answer']);
  expect(report.markdown).not.toContain('npm install');
});
