/** From an empty folder to a deployed, tested source by tools alone: nothing here touches the disk. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agent, httpAgent } from './support/agent.ts';

const orders = (total: string) => `export default {
  name: 'Orders', key: 'orders', type: 'source', version: '0.0.1', dedupe: 'unique',
  props: { http: { type: '$.interface.http', customResponse: false }, db: '$.service.db' },
  run(event) {
    const { id, items } = event.body;
    this.db.set('last', id);
    this.$emit({ id, total: ${total} }, { id, summary: 'Order ' + id });
  },
};`;
const wrong = orders('items.length');
const right = orders('items.reduce((sum, { price }) => sum + price, 0)');

describe.each([
  ['stdio', () => agent()],
  ['HTTP', () => httpAgent()],
])('over %s', (_transport, connect) => {
  test('a source is written, tried, corrected, deployed and tested', async () => {
    const { ask, refusal, folder } = await connect();
    const written = await ask<{ path: string; hash: string; created: boolean }>('write_component', {
      path: 'sources/orders.ts',
      code: wrong,
    });
    const file = join(await realpath(folder), 'sources', 'orders.ts');
    expect(written.data).toMatchObject({ path: file, created: true });
    expect((await ask('inspect_component', { component_path: file })).data).toMatchObject({
      name: 'Orders',
    });
    const { id } = (await ask<{ id: string }>('deploy_source', { component_path: file })).data;
    const event = { body: { id: 7, items: [{ price: 2 }, { price: 3 }] } };
    await ask('run', { id, event });
    const events = await ask<{ event: unknown }[]>('list_events', { id });
    expect(events.data).toMatchObject([{ event: { id: 7, total: 2 } }]);

    // It was not the total. Nothing is replaced that was not read.
    expect(await refusal('write_component', { path: file, code: right })).toContain(
      'is there already',
    );
    const read = await ask<{ code: string; hash: string }>('read_component', { path: file });
    expect(read.data).toEqual({ path: file, code: wrong, hash: written.data.hash });
    const { hash } = read.data;
    const corrected = await ask<{ hash: string }>('write_component', {
      path: file,
      code: right,
      replaces: hash,
    });
    await ask('update_source', { id, component_path: file });
    const ran = await ask<{ id: string }>('run', {
      id,
      event: { body: { ...event.body, id: 8 } },
    });
    const saved = await ask<{ file: string }>('save_test', {
      id,
      run_id: ran.data.id,
      name: 'adds prices up',
    });
    expect(saved.data.file).toMatch(/sources.tests.adds-prices-up\.test\.yaml$/);
    const test = { file: saved.data.file };
    expect((await ask('run_test', test)).data).toMatchObject({ passed: true, differences: [] });

    // The test notices the old mistake, and what is deployed stays as it is.
    await ask('write_component', { path: file, code: wrong, replaces: corrected.data.hash });
    expect((await ask('run_test', test)).data).toMatchObject({
      passed: false,
      differences: [{ expected: 5, got: 2 }],
    });
    await ask('run', { id, event: { body: { ...event.body, id: 9 } } });
    const after = await ask<{ event: unknown }[]>('list_events', { id, limit: 1 });
    expect(after.data).toMatchObject([{ event: { id: 9, total: 5 } }]);
    expect(await refusal('save_test', { run_id: ran.data.id })).toMatch(/source/);
  });

  test('a tool writes components, and nothing else', async () => {
    const { refusal } = await connect();
    for (const path of ['../out.ts', '.git/hooks/x.js', 'data/x.ts', 'package.json']) {
      expect(await refusal('write_component', { path, code: '' })).toContain(path);
    }
  });
});
