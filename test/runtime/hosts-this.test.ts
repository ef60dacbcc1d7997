import { expect, test } from 'vitest';
import { emitted, emittedOn, event, hostsFor, perform, start } from './hosts-helper.ts';

/** Every rule of what `this` is in a component (P2, P3), in a real host. */
const hosts = await hostsFor();
const emits = emittedOn(hosts);

const app = `{ type: 'app', app: 'slack', methods: {
  token() { return this.$auth.token; },
  twice() { return [this.token(), this.token()]; },
  remember(x) { this.cache = x; return this.cache; },
  sees() { return [typeof this.$emit, typeof this.name]; },
} }`;

test('own enumerable keys are the configured props, in the order they are declared', async () => {
  const [keys, rest, names] = await emits(
    `export default {
      props: { app: ${app}, db: '$.service.db', timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
        http: '$.interface.http', note: { type: 'alert', content: 'x' }, hook: { type: '$.interface.apphook' },
        b: 'string', a: 'integer', unset: { type: 'string', optional: true }, zero: 'integer', no: 'boolean', empty: 'string' },
      methods: { helper() {} },
      hooks: { deploy() {} },
      run() {
        const { app, db, timer, http, ...rest } = this;
        this.$emit(Object.keys(this));
        this.$emit(rest);
        this.$emit([typeof this.helper, typeof this.$emit, this.run, this.deploy, this.hooks, 'unset' in this]);
      },
    }`,
    { props: { a: 1, b: 'two', zero: 0, no: false, empty: '', stray: 'x' } },
  );
  expect(keys).toEqual(['app', 'db', 'timer', 'http', 'b', 'a', 'zero', 'no', 'empty']);
  expect(rest).toEqual({ b: 'two', a: 1, zero: 0, no: false, empty: '' });
  expect(names).toEqual(['function', 'function', null, null, null, false]);
});

test('methods are bound however they are taken', async () => {
  const results = await emits(
    `const common = { methods: { name() { return 'common ' + this.x; } } };
    export default {
      props: { x: 'string', app: ${app} },
      methods: {
        ...common.methods,
        get() { return this.x; },
        over() { return common.methods.name.call(this); },
        self() { return this.get() + this.get(); },
        *each() { yield this.x; },
      },
      async run() {
        const { get, app: { token }, $emit } = this;
        $emit([get(), token(), [1].map(this.get), [1].map(this.app.twice), { get }.get(), this.over(), this.self(), [...this.each()]]);
        $emit([get === this.get, this.app.sees()]);
        setTimeout(() => {}, 0);
        await null;
        $emit(Object.keys(this));
      },
    }`,
    { props: { x: 'v', app: { authProvisionId: 'apn_1' } }, accounts: { apn_1: { token: 't' } } },
  );
  expect(results).toEqual([
    ['v', 't', ['v'], [['t', 't']], 'v', 'common v', 'vv', ['v']],
    [true, ['undefined', 'undefined']],
    ['x', 'app'],
  ]);
});

test('methods of common bases see the props of the component, and may be called off other objects', async () => {
  const results = await emits(
    `const base = { hooks: { async deploy() { return this.x; } }, run() { return this.x; } };
    export default {
      props: { x: 'string' },
      methods: { run() { return 'method run'; }, deploy() { return 'method deploy'; } },
      async run() { this.$emit([this.run(), this.deploy(), base.run.call(this), await base.hooks.deploy.bind(this)()]); },
    }`,
    { props: { x: 'v' } },
  );
  expect(results).toEqual([['method run', 'method deploy', 'v', 'v']]);
});

test('an instance is writable, and nothing of it outlives the invocation', async () => {
  const { host } = await start(
    hosts,
    `export default {
      props: { list: 'string[]', app: ${app} },
      methods: { helper() { return 'original'; } },
      run() {
        const before = [this.list.length, this.extra, this.app.cache, this.helper(), Object.keys(this)];
        this.list.push('more'); this.extra = 1; this.app.remember(this.list); this.app.more = 1;
        this.helper = () => 'replaced';
        this.$emit([before, this.helper(), Object.keys(this)]);
      },
    }`,
    { props: { list: ['a'], app: { authProvisionId: 'apn_1' } }, accounts: { apn_1: {} } },
  );
  const fresh = [1, null, null, 'original', ['list', 'app']];
  const expected = [[fresh, 'replaced', ['list', 'app', 'extra']]];
  expect(emitted(await perform(host, event()))).toEqual(expected);
  expect(emitted(await perform(host, event()))).toEqual(expected);
});

test('$auth is a plain enumerable object, of which each invocation has its own', async () => {
  const { host } = await start(
    hosts,
    `export default { props: { app: ${app} }, run() {
      this.$emit([Object.keys(this.app).slice(0, 1), { ...this.app.$auth }, this.app.$auth.constructor === Object, typeof { ...this.app }.token]);
      this.app.$auth.token = 'changed';
    } }`,
    {
      props: { app: { authProvisionId: 'apn_1' } },
      accounts: { apn_1: { token: 't', domain: 'd' } },
    },
  );
  const expected = [[['$auth'], { token: 't', domain: 'd' }, true, 'function']];
  expect(emitted(await perform(host, event()))).toEqual(expected);
  expect(emitted(await perform(host, event()))).toEqual(expected);
});

test('an app without an account has an empty $auth and says so when it is read; an optional one is absent', async () => {
  const { host } = await start(
    hosts,
    `export default {
      props: { need: ${app}, may: { ...${app}, optional: true }, gone: ${app} },
      run() { this.$emit([Object.keys(this), this.need.$auth, this.need.token() ?? 'none', this.may?.$auth ?? 'absent']); },
    }`,
    { props: { gone: { authProvisionId: 'apn_deleted' } } },
  );
  const outcome = await perform(host, event());
  expect(emitted(outcome)).toEqual([[['need', 'gone'], {}, 'none', 'absent']]);
  expect(outcome.logs).toMatchObject([
    {
      level: 'warn',
      text: 'The app prop "need" has no connected account of slack, so its $auth is empty; connect one with "weir accounts add slack", or with "Weir: Add Account…" in the editor.',
    },
  ]);
});

test('label envelopes are taken off, unless the prop wants the label', async () => {
  const lv = { __lv: { label: 'L', value: 'v' } };
  const many = {
    __lv: [
      { label: 'A', value: 1 },
      { label: 'B', value: 2 },
    ],
  };
  const results = await emits(
    `export default { props: {
      a: 'string', b: { type: 'string', withLabel: true }, c: 'integer[]', d: { type: 'integer[]', withLabel: true }, e: { type: 'string', withLabel: true },
    }, run() { this.$emit({ ...this }); } }`,
    { props: { a: lv, b: lv, c: many, d: many, e: 'bare' } },
  );
  expect(results).toEqual([
    { a: 'v', b: { label: 'L', value: 'v' }, c: [1, 2], d: many.__lv, e: 'bare' },
  ]);
});

test('db is synchronous and hands out JSON copies', async () => {
  const { host } = await start(
    hosts,
    `export default { props: { db: '$.service.db', other: { type: '$.service.db' } }, async run() {
      const { db: { get, set } } = this;
      const list = ['a'];
      set('list', list); list.push('b');
      get('list').push('c');
      set('when', new Date(0)); set('map', new Map()); set('__proto__', { x: 1 }); set('null', null);
      set('gone', 1); set('gone', undefined); set('was');
      await set('awaited', await get('stored'));
      this.$emit([get('list'), get('when'), get('map'), get('__proto__'), get('null'), get('gone') === undefined, get('was') === undefined,
        get('never') === undefined, get('constructor') === undefined, get('awaited'), this.other.get('list') === undefined, ({}).x === undefined]);
    } }`,
    { db: { db: { stored: '{"a":1}', was: 'true' }, other: {} } },
  );
  const first = await perform(host, event());
  expect(emitted(first)).toEqual([
    [
      ['a'],
      '1970-01-01T00:00:00.000Z',
      {},
      { x: 1 },
      null,
      true,
      true,
      true,
      true,
      { a: 1 },
      true,
      true,
    ],
  ]);
  // Each key once, as it stands at the end of the run (P9.11).
  expect(first.db.map(({ prop, key, json }) => [prop, key, json])).toEqual([
    ['db', 'list', '["a"]'],
    ['db', 'when', '"1970-01-01T00:00:00.000Z"'],
    ['db', 'map', '{}'],
    ['db', '__proto__', '{"x":1}'],
    ['db', 'null', 'null'],
    ['db', 'gone', undefined],
    ['db', 'was', undefined],
    ['db', 'awaited', '{"a":1}'],
  ]);
});

test('a value that is no JSON fails the run at the call', async () => {
  const { host } = await start(
    hosts,
    `export default { props: { db: '$.service.db' }, run(event) {
      if (event.emit) { const a = {}; a.a = a; this.$emit(a); } else this.db.set('k', 1n);
    } }`,
  );
  const circular = await perform(host, event({ emit: true }));
  expect(circular.error?.message).toMatch(
    /^\$emit: the event cannot be made JSON\. Converting circular/,
  );
  const bigint = await perform(host, event({}));
  expect(bigint.error?.message).toMatch(
    /^this\.db\.set\("k"\): the value cannot be made JSON\. .*BigInt/,
  );
});

test('timer props show how they tick', async () => {
  const results = await emits(
    `export default { props: {
      set: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
      cron: '$.interface.timer',
      fixed: { type: '$.interface.timer', static: { intervalSeconds: 60 } },
      unset: { type: '$.interface.timer', default: { cron: '0 0 * * *' } },
      old: { type: '$.interface.timer', intervalSeconds: 30 },
    }, run() { this.$emit({ ...this }); } }`,
    {
      props: {
        set: { intervalSeconds: 15 },
        cron: { cron: '* * * * *', timezone: 'Europe/Berlin' },
        fixed: { intervalSeconds: 1 },
      },
    },
  );
  const type = '$.interface.timer';
  expect(results).toEqual([
    {
      set: { type, intervalSeconds: 15 },
      cron: { type, cron: '* * * * *', timezone: 'Europe/Berlin' },
      fixed: { type, intervalSeconds: 60 },
      unset: { type, cron: '0 0 * * *' },
      old: { type, intervalSeconds: 30 },
    },
  ]);
});

test('prop names that mean something to JavaScript are just names', async () => {
  const { host } = await start(
    hosts,
    `export default { props: { ['__proto__']: 'string', constructor: 'string', toString: 'string', hasOwnProperty: { type: 'string', optional: true }, 'with-dash': 'string' },
      run() { this.$emit([Object.keys(this), Object.getOwnPropertyDescriptor(this, '__proto__').value, ({}).polluted ?? 'clean', typeof this.hasOwnProperty]); } }`,
    {
      props: JSON.parse(
        '{"__proto__":{"polluted":1},"toString":"t","with-dash":"d"}',
      ) as object as Record<string, unknown>,
    },
  );
  expect(host.definition.props.map((prop) => prop.name)).toEqual([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'with-dash',
  ]);
  expect(emitted(await perform(host, event()))).toEqual([
    [['__proto__', 'toString', 'with-dash'], { polluted: 1 }, 'clean', 'function'],
  ]);
});
