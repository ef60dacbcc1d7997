import { describe, expect, test } from 'vitest';
import type { ActionRun, PropOptions, Source } from '../../../src/protocol/catalogue.ts';
import { conformanceWorld, endpointOf } from './world.ts';

/**
 * What many published components do, whatever the documentation says; the number behind each is how
 * many of them were counted doing it.
 */
const world = conformanceWorld();

/** An app as published ones are: a request with the component as its default first argument. */
const app = `const app = { type: 'app', app: 'mill',
  propDefinitions: {
    wheel: { type: 'string', label: 'Wheel', async options({ page }) { return { options: this.wheels(page) }; } },
    timer: { type: '$.interface.timer', label: 'Often' },
  },
  methods: {
    wheels(page) { return page > 0 ? undefined : [{ label: 'First', value: 1 }, 'second']; },
    client() { this.connection ??= { id: {} }; return this.connection; },
    async *pages(count) { for (let page = 0; page < count; page += 1) yield [page, this.client() === this.connection]; },
    request({ $ = this, ...args }) { $.debug = args; return Object.keys(args); },
    store(db, key, value) { db.set(key, value); return db.get(key); },
    sum(a, b) { return a + b; },
  } };`;

const one = (code: string): string => `${app} export default { name: 'One', ${code} };`;

async function act(code: string, configured_props: object = {}): Promise<ActionRun> {
  const component_path = await world.file(code);
  return world.runtime.restData('POST', '/v1/actions/run', { component_path, configured_props });
}

async function options(code: string, prop_name: string): Promise<PropOptions> {
  const component_path = await world.file(code);
  const asked = { component_path, prop_name, configured_props: {} };
  return world.runtime.restData('POST', '/v1/components/configure', asked);
}

describe('this and $', () => {
  test('P2.17 `$ = this` as a default: an app method that gets no $ writes to its own this (6,861)', async () => {
    const run = await act(
      one(`type: 'action', props: { app, text: 'string' }, async run({ $ }) {
        const given = this.app.request({ $, a: 1 });
        const own = this.app.request({ b: 2 });
        return [given, own, $.debug, this.app.debug, { ...this, app: undefined }];
      }`),
      { text: 'x' },
    );
    expect(run.return_value).toEqual([['a'], ['b'], { a: 1 }, { b: 2 }, { text: 'x' }]);
  });

  test('P8.17 a source whose run takes { $ } finds none in its event (51)', async () => {
    const source = await world.deploy(
      one(`props: { app }, run({ $ }) { this.$emit([typeof $, this.app.request({ $, c: 3 })]); }`),
    );
    expect(await world.emitted(source)).toEqual([['undefined', ['c']]]);
  });

  test('P2.18 async generators of apps and components keep their this (376 apps, 87 components)', async () => {
    const source = await world.deploy(
      one(`props: { app, names: { type: 'string[]' } },
        methods: { async *each() { for (const name of this.names) yield name; for await (const page of this.app.pages(2)) yield page; } },
        async run() { const { each } = this; const all = []; for await (const one of each()) all.push(one); this.$emit(all); }`),
      { configured_props: { names: ['a', 'b'] } },
    );
    const pages = [
      [0, true],
      [1, true],
    ];
    expect(await world.emitted(source)).toEqual([['a', 'b', ...pages]]);
  });

  test('P2.19 this, the db and the HTTP interface are handed to others whole (149, 123, 12)', async () => {
    const source = await world.deploy(
      one(`props: { app, db: '$.service.db', http: '$.interface.http', text: 'string' },
        methods: { shout(self) { return self.text + '!'; }, where(http) { return typeof http.endpoint + typeof http.respond; } },
        run() { this.$emit([this.app.store(this.db, 'k', { n: 1 }), this.db.get('k'), this.shout(this), this.where(this.http)]); }`),
      { configured_props: { text: 'x' } },
    );
    expect(await world.emitted(source)).toEqual([[{ n: 1 }, { n: 1 }, 'x!', 'stringfunction']]);
  });

  test('P2.8 hooks and methods of others are borrowed: called off their object, bound, with this (58, 28)', async () => {
    const source = await world.deploy(
      `${app} const common = {
        props: { app, db: '$.service.db' },
        hooks: { async deploy() { this.db.set('by', 'common ' + this.label()); } },
        methods: { label() { return 'base'; } },
        additionalProps() { return {}; },
        async run() { return 'ran ' + this.label(); } };
      export default { ...common, name: 'Borrows', hooks: { ...common.hooks, async deploy() { await common.hooks.deploy.bind(this)(); } },
        methods: { ...common.methods, label() { return common.methods.label.call(this) + ' + own'; } },
        async run() { this.$emit([this.db.get('by'), await common.run.call(this), app.methods.sum(1, 2)]); } };`,
    );
    expect(await world.emitted(source)).toEqual([['common base + own', 'ran base + own', 3]]);
  });
});

describe('definition and props', () => {
  test('P1.5 an app spread into a source: its keys are ignored, its methods are the source’s (16)', async () => {
    const source = await world.deploy(
      `${app} export default { ...app, type: 'source', key: 'mill-spread', name: 'Spread', props: { app }, activate() { throw new Error('no hook'); },
        run() { this.$emit([this.sum(1, 2), this.app.sum(3, 4), Object.keys(this)]); } };`,
    );
    expect(source).toMatchObject({ name: 'Spread', component_key: 'mill-spread' });
    expect(await world.emitted(source)).toEqual([[3, 7, ['app']]]);
  });

  test('P5.17 a timer may come from a propDefinition, with a default of its own (7)', async () => {
    const source = await world.deploy(
      one(
        `props: { app, cron: { propDefinition: [app, 'timer'], default: { cron: '0 11 * * *' } } }`,
      ),
    );
    expect(source.configured_props).toMatchObject({ cron: { cron: '0 11 * * *' } });
    expect(await world.emitted(source)).toMatchObject([{ cron: '0 11 * * *' }]);
  });

  test('P5.12 a definition read off the app and spread asks its options on the component (40)', async () => {
    const code =
      one(`type: 'action', props: { app, wheel: { ...app.propDefinitions.wheel, label: 'Mine' } },
      methods: { wheels(page) { return ['of the component ' + page]; } }, run() {}`);
    const { options: found } = await options(code, 'wheel');
    expect(found.map(({ value }) => value)).toEqual(['of the component 0']);
  });

  test('P5.10 options without a context, and labels beside bare values (46)', async () => {
    const code = one(
      `type: 'action', props: { app, wheel: { propDefinition: [app, 'wheel'] } }, run() {}`,
    );
    expect(await options(code, 'wheel')).toMatchObject({
      options: [
        { label: 'First', value: 1 },
        { label: 'second', value: 'second' },
      ],
      context: null,
      errors: [],
    });
  });

  test('P3.7 what is hidden has its default, what is disabled and without a value is not asked for (235, 6)', async () => {
    const run = await act(
      one(`type: 'action', props: { app, quiet: { type: 'string', hidden: true, default: 'd' }, off: { type: 'string', disabled: true }, n: { type: 'integer', optional: true, default: 0 } },
        run() { const { app, ...data } = this; return data; }`),
    );
    expect(run.return_value).toEqual({ quiet: 'd', n: 0 });
  });

  test('P8.13 the names of app hook events may be asked for; they are the platform’s business (29)', async () => {
    const source = await world.deploy(
      one(`dedupe: 'unique', props: { app, hook: { type: '$.interface.apphook', appProp: 'app', async eventNames() { throw new Error('nobody asks'); } } },
        run(event) { this.$emit(event, { id: event.client_msg_id, summary: event.text }); }`),
    );
    const message = { client_msg_id: 'm1', text: 'hi' };
    expect(await world.emitted(source, message)).toEqual([message]);
    expect(await world.emitted(source, message)).toEqual([]);
  });
});

describe('events', () => {
  test('P8.18 timer and HTTP runs of one source tell themselves apart by timestamp (71)', async () => {
    const source = await world.deploy(
      `export default { name: 'Both', props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } }, http: { type: '$.interface.http', customResponse: true } },
        run({ timestamp, interval_seconds, headers, body, bodyRaw, client_ip, url }) {
          if (timestamp) return this.$emit(['timer', interval_seconds, typeof headers]);
          this.http.respond({ status: '202', headers: { 'x-a': 1 }, body: { got: body.n } });
          this.$emit(['http', JSON.parse(bodyRaw).n, client_ip, url.startsWith(this.http.endpoint)]);
        } };`,
    );
    expect(await world.emitted(source)).toEqual([['timer', 900, 'undefined']]);
    const answer = await fetch(endpointOf(source), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"n":1}',
    });
    expect([answer.status, answer.headers.get('x-a'), await answer.json()]).toEqual([
      202,
      '1',
      { got: 1 },
    ]);
    const [, event] = await world.eventually(source, 2);
    expect(event?.event).toEqual(['http', 1, '127.0.0.1', true]);
  });
});

describe('modules', () => {
  test('P1.17 TypeScript as published components write it: no extensions, interfaces imported as values (296)', async () => {
    const component_path = await world.file('', {
      'source.ts': `import { defineSource } from '@pipedream/types'; import app from './mill.app'; import { Wheel } from './types';
        export default defineSource({ name: 'Typed', key: 'mill-typed', version: '0.0.1', type: 'source', props: { app }, async run() { const wheel: Wheel = { n: this.app.turn() }; this.$emit(wheel); } });`,
      'mill.app.ts': `import { defineApp } from '@pipedream/types'; export default defineApp({ type: 'app', app: 'mill', methods: { turn(): number { return 1; } } });`,
      'types.ts': `export interface Wheel { n: number; }`,
    });
    const source = await world.runtime.restData<Source>('POST', '/v1/sources', {
      component_path: component_path.replace('component.mjs', 'source.ts'),
    });
    expect(await world.emitted(source)).toEqual([{ n: 1 }]);
  });

  test('P15.15 a module imports when it is needed, and sets variables of its own process (5)', async () => {
    const component_path = await world.file(
      `import './env.mjs'; import * as common from './common.mjs';
      export default { name: 'Late', async run() { const { late } = await import('./late.mjs'); this.$emit([late(common), process.env.MILL_FIX, typeof process.env.PD_COMPONENT]); } };`,
      {
        'env.mjs': `process.env.MILL_FIX = 1;`,
        'common.mjs': `export const n = 2;`,
        'late.mjs': `export const late = ({ n }) => n + 1;`,
      },
    );
    const source = await world.runtime.restData<Source>('POST', '/v1/sources', { component_path });
    expect(await world.emitted(source)).toEqual([[3, '1', 'string']]);
  });
});
