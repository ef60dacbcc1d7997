import { describe, expect, test } from 'vitest';
import { conformanceWorld } from './world.ts';

/** What `this` is made of, `$emit` and `$.service.db` (P2, P9, P10). */
const world = conformanceWorld();

describe('$.service.db', () => {
  test('P9.2 db.get returns a value, not a promise; an un-awaited set is seen by the get after it', async () => {
    const source = await world.deploy(`export default {
      name: 'Db', props: { db: '$.service.db' },
      async run() {
        const list = [1];
        const before = this.db.get('list');
        this.db.set('list', list);
        list.push(2);
        const copy = this.db.get('list');
        copy.push(3);
        this.db.set('gone', 1);
        this.db.set('gone');
        this.$emit({
          before: before === undefined ? 'undefined' : before, isPromise: before instanceof Promise,
          list: this.db.get('list'), awaited: await this.db.get('list'), gone: this.db.get('gone') ?? 'undefined',
        });
      } }`);
    const first = { isPromise: false, list: [1], awaited: [1], gone: 'undefined' };
    expect(await world.emitted(source)).toEqual([{ before: 'undefined', ...first }]);
    expect(await world.emitted(source)).toEqual([{ before: [1], ...first }]);
  });

  test('P9.6 what a run that throws had set is kept', async () => {
    const source = await world.deploy(`export default {
      name: 'Db of a failing run', props: { db: '$.service.db' },
      run({ fail }) { this.$emit(this.db.get('n') ?? 0); this.db.set('n', (this.db.get('n') ?? 0) + 1); if (fail) throw new Error('after set'); } }`);
    expect((await world.run(source, { fail: true })).error?.message).toBe('after set');
    expect(await world.emitted(source)).toEqual([1]);
  });
});

describe('$emit', () => {
  test('P10.4 emits nobody awaits come out sorted by ts after the run, the later ones with equal ts last', async () => {
    const source = await world.deploy(`export default {
      name: 'Newest first',
      async run() {
        const reused = {};
        for (const [name, ts] of [['d', 40], ['c', 30], ['b1', 20], ['b2', 20], ['a', 10]]) {
          reused.name = name;
          this.$emit(reused, { ts, id: name });
        }
        await null;
        this.$emit({ name: 'before all' }, { ts: 5, id: 'z' });
      } }`);
    expect(await world.emitted(source)).toEqual(
      ['before all', 'a', 'b1', 'b2', 'c', 'd'].map((name) => ({ name })),
    );
    const listed = await world.events(source);
    expect(listed.map(({ metadata }) => metadata.ts)).toEqual([5, 10, 20, 20, 30, 40]);
    expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toSorted());
  });

  test('P10.4 without ts they keep the order of the calls, from methods and after awaits', async () => {
    const source = await world.deploy(`export default {
      name: 'Call order', methods: { say(x) { return this.$emit(x); } },
      async run() { this.$emit(3); const promised = this.say('two'); await promised; this.$emit(null); this.$emit(); this.$emit([1]);
        this.$emit(promised instanceof Promise); } }`);
    expect(await world.emitted(source)).toEqual([3, 'two', null, null, [1], true]);
  });

  test('P10.8 what was emitted before run throws is kept', async () => {
    const source = await world.deploy(
      `export default { name: 'Half', run() { this.$emit(1); this.$emit(2); throw new Error('half way'); } }`,
    );
    const run = await world.run(source);
    expect([run.status, run.error?.message]).toEqual(['failed', 'half way']);
    expect((await world.events(source)).map(({ event }) => event)).toEqual([1, 2]);
  });
});

describe('this', () => {
  test('P2.2 {...this} and rest patterns copy the props', async () => {
    const source = await world.deploy(
      `export default {
      name: 'Spread', props: { a: 'string', list: 'string[]', unset: { type: 'string', optional: true }, db: '$.service.db' },
      methods: { shout() { return this.a.toUpperCase(); } },
      run() {
        const { a, ...rest } = this;
        const copy = { ...this };
        this.$emit({ a, rest: Object.keys(rest), copy: Object.keys(copy), list: copy.list, has: 'unset' in copy, shout: this.shout(), works: typeof copy.db.get });
      } }`,
      { configured_props: { a: 'x', list: ['y', 'z'] } },
    );
    expect(await world.emitted(source)).toEqual([
      {
        a: 'x',
        rest: ['list', 'db'],
        copy: ['a', 'list', 'db'],
        list: ['y', 'z'],
        has: false,
        shout: 'X',
        works: 'function',
      },
    ]);
  });

  test('P2.6 what a run assigns to this does not live on', async () => {
    const source = await world.deploy(
      `export default { name: 'Assigns', props: { o: 'object' }, run() { this.$emit([this.seen ?? 'new', this.o.n]); this.seen = 'old'; this.o.n = 'changed'; } }`,
      { configured_props: { o: { n: 'configured' } } },
    );
    expect(await world.emitted(source)).toEqual([['new', 'configured']]);
    expect(await world.emitted(source)).toEqual([['new', 'configured']]);
  });

  test("P2.11 an app's methods find this.$auth when the app object is destructured and passed on", async () => {
    const account = await world.runtime.restData<{ id: string }>('POST', '/v1/accounts', {
      app: 'mill',
      credentials: { api_key: 'key-1', region: 'eu' },
    });
    const source = await world.deploy(
      `
      const mill = { type: 'app', app: 'mill', methods: {
        key() { return this.$auth.api_key; },
        async both(x) { await null; return this.key() + x; },
        sees() { return [typeof this.team, typeof this.$emit, Object.keys(this.$auth)]; },
      } };
      const use = async ({ both }, items) => Promise.all(items.map(both));
      export default { name: 'App', props: { mill, team: 'string' },
        methods: { async later(app) { await null; return app.key(); } },
        async run() {
          const { mill: app } = this;
          this.$emit({ both: await use(app, ['!', '?']), later: await this.later(app), sees: app.sees(), auth: this.mill.$auth.region });
        } }`,
      { configured_props: { team: 't', mill: { authProvisionId: account.id } } },
    );
    expect(await world.emitted(source)).toEqual([
      {
        both: ['key-1!', 'key-1?'],
        later: 'key-1',
        sees: ['undefined', 'undefined', ['api_key', 'region']],
        auth: 'eu',
      },
    ]);
  });
});
