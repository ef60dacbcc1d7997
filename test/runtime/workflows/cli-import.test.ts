/** `weir import` in a terminal: what is asked, once, and what an answer leaves in the files. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importWorkflows } from '../../../src/cli/verbs/import.ts';
import type { Account } from '../../../src/protocol/catalogue.ts';
import { useRuntime } from '../../support/runtime.ts';
import { enter, typeCommand } from '../support/terminal.ts';

const runtime = useRuntime();
const step = `export default defineComponent({
  props: { shop: { type: "app", app: "shop_of_test" } },
  async run() { return this.shop.$auth.key; },
});`;

test('an account that two workflows name is asked for once, and a wrong answer asks again', async () => {
  const folder = join(runtime.folder, 'accounts');
  for (const [name, trigger] of [
    ['first', 'hi_abc123'],
    ['second', 'ti_def456'],
  ] as const) {
    const file = join(folder, `${name}-p_${name}`, 'workflow.yaml');
    await mkdir(join(dirname(file), 'use'), { recursive: true });
    await writeFile(join(dirname(file), 'use', 'entry.js'), step);
    await writeFile(
      file,
      `schema: workflow/2022.04
name: ${name}
triggers:
  - id: ${trigger}
steps:
  - namespace: use
    uses: ./use/entry.js
    props: { shop: { authProvisionId: apn_Same01 } } # of the team
`,
    );
  }
  for (const name of ['Main shop', 'Test shop']) {
    const account = { app: 'shop_of_test', name, credentials: { key: name } };
    await runtime.restData('POST', '/v1/accounts', account);
  }
  const data = join(runtime.folder, 'data');
  const run = typeCommand(importWorkflows, runtime.folder, 'import', folder, '--data', data);
  await run.shows('first and 1 more: which account takes the place of apn_Same01 of shop_of_test?');
  await run.shows('Main shop');
  await run.shows('Its number, name or id');
  await run.type('7', enter);
  await run.shows('There is no account 7 here.');
  await run.shows('Its number, name or id');
  await run.type('Test shop', enter);
  await run.shows('When? Seconds');
  await run.type('soon', enter);
  await run.shows('"soon" is not a cron expression');
  await run.shows('When? Seconds');
  await run.type('900', enter);
  await run.shows('2 workflows: 2 ready.');
  expect(await run.code).toBe(0);
  const accounts = await runtime.restData<Account[]>('GET', '/v1/accounts?app=shop_of_test');
  const chosen = accounts.find(({ name }) => name === 'Test shop')?.id;
  const texts = await Promise.all(
    ['first', 'second'].map((name) =>
      readFile(join(folder, `${name}-p_${name}`, 'workflow.yaml'), 'utf8'),
    ),
  );
  for (const text of texts) expect(text).toContain(`authProvisionId: ${chosen} } } # of the team`);
  expect(texts[1]).toMatch(/intervalSeconds: 900/);
  const again = typeCommand(importWorkflows, runtime.folder, 'import', folder, '--data', data);
  expect(await again.code).toBe(0);
  expect(again.screen()).not.toMatch(/Its number|When\?/);
});
