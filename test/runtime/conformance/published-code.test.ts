import { symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { ActionRun, Source } from '../../../src/protocol/catalogue.ts';
import { startReceiver } from '../../support/receiver.ts';
import { conformanceWorld } from './world.ts';

/** What many real components lean on, whatever the documentation says (P2.7, P2.19, P10.6, P15.17). */
const world = conformanceWorld();

/** Code that may import the registry's own packages. */
async function authored(code: string): Promise<string> {
  const file = await world.file(code);
  await symlink(resolve('node_modules'), join(dirname(file), 'node_modules'), 'junction');
  return file;
}

test('the axios of the platform writes on this, or on $, what it was asked to show', async () => {
  const { url } = await startReceiver();
  const get = `axios(to, { url: '${url}', method: 'POST', data: { a: 1, b: undefined }, debug: true })`;
  const source = await world.runtime.restData<Source>('POST', '/v1/sources', {
    component_path: await authored(`import { axios } from '@pipedream/platform';
      export default { name: 'Shows', methods: { get(to = this) { return ${get}; } },
        async run() { await this.get(); this.$emit([Object.keys(this), this.debug_config.data]); } }`),
  });
  expect(await world.emitted(source)).toEqual([[['debug_config', 'debug_response'], { a: 1 }]]);
  const action = await world.runtime.restData<ActionRun>('POST', '/v1/actions/run', {
    component_path: await authored(`import { axios } from '@pipedream/platform';
      export default { name: 'Shows', type: 'action', async run({ $: to }) { await ${get}; } }`),
  });
  expect(Object.keys(action.exports)).toEqual(['debug_config', 'debug_response']);
});

test('methods named like run and the hooks are methods; run and the hooks are not on this', async () => {
  const source = await world.deploy(`export default { name: 'Names',
    hooks: { activate() { this.activate('hook'); } },
    methods: { run(what) { return 'method ' + what; }, activate(what) { this.$emit([what, typeof this.deploy, typeof this.hooks]); } },
    run() { this.$emit(this.run('called')); } }`);
  expect((await world.events(source)).map(({ event }) => event)).toEqual([
    ['hook', 'undefined', 'undefined'],
  ]);
  expect(await world.emitted(source)).toEqual(['method called']);
});

test('the db may be handed to a method of an app, and the app object anywhere', async () => {
  const source = await world.deploy(`const app = { type: 'app', app: 'mill', methods: {
      _key() { return this.$auth.key ?? 'no key'; },
      count(db) { const n = (db.get('n') ?? 0) + 1; db.set('n', n); return [this._key(), n]; },
      async *pages(fn) { for (const page of [1, 2]) yield await fn({ page }); } } };
    export default { name: 'Hands on', props: { app, db: '$.service.db' },
      methods: { async fetch({ page }) { return [page, ...this.app.count(this.db)]; } },
      async run() { for await (const page of this.app.pages(this.fetch)) this.$emit(page); } }`);
  expect(await world.emitted(source)).toEqual([
    [1, 'no key', 1],
    [2, 'no key', 2],
  ]);
});

test('the time of an event may be a Date, a text or nonsense; the id a number or missing', async () => {
  const source = await world.deploy(`export default { name: 'Times', run() {
    this.$emit('2025', { ts: new Date('2025-01-01') }); this.$emit('2023', { ts: '2023-01' });
    this.$emit('2024', { ts: Date.parse('2024-01-01') }); this.$emit('now', { ts: NaN, id: 0 }); } }`);
  expect(await world.emitted(source)).toEqual(['2023', '2024', '2025', 'now']);
});
