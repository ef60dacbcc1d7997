import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conformanceWorld, endpointOf, refusal } from './world.ts';

/** What a component or a caller should not have given: told in a sentence, and survived. */
const world = conformanceWorld();

describe('what has no JSON form', () => {
  test.for([
    ['a circular event', 'const a = {}; a.self = a; this.$emit(a);', /circular/i],
    ['a BigInt', 'this.$emit({ n: 1n });', /BigInt/],
    [
      'a toJSON that throws',
      `this.$emit({ toJSON() { throw new Error('no form'); } });`,
      /no form/,
    ],
    [
      'a getter that throws',
      `this.$emit({ get x() { throw new Error('no value'); } });`,
      /no value/,
    ],
    ['a circular db value', `const a = {}; a.self = a; this.db.set('k', a);`, /circular/i],
    ['a BigInt as a db value', `this.db.set('k', 1n);`, /BigInt/],
  ] as const)(
    '%s fails the run, with its reason; what came before is kept',
    async ([, code, reason]) => {
      const source =
        await world.deploy(`export default { name: 'No JSON', props: { db: '$.service.db' }, run({ again }) {
      if (again) { this.$emit(this.db.get('k') ?? 'no k'); return; }
      this.$emit('before');
      ${code}
      this.$emit('never');
    } }`);
      const run = await world.run(source, {});
      expect(run.status).toBe('failed');
      expect(run.error?.message).toMatch(
        /^(\$emit: the event|this\.db\.set\("k"\): the value) cannot be made JSON\. /,
      );
      expect(run.error?.message).toMatch(reason);
      expect(run.error?.stack).toContain('component.mjs');
      expect(run.emitted.map(({ event }) => event)).toEqual(['before']);
      expect(await world.emitted(source, { again: true })).toEqual(['no k']);
    },
  );

  test('events of odd but possible kinds arrive as JSON makes them', async () => {
    const source = await world.deploy(`export default { name: 'Odd events', run() {
      this.$emit({ d: new Date(0), m: new Map([[1, 2]]), f() {}, u: undefined, n: NaN, s: Symbol('x'), b: Buffer.from('a') });
      this.$emit(() => 1); this.$emit('\\u0000\\ud800'); this.$emit(-0);
      this.$emit(1, null); this.$emit(2, 'meta'); this.$emit(3, { id: { a: 1 }, name: 5, summary: { b: 2 }, ts: 'yesterday' });
    } }`);
    const emitted = await world.emitted(source);
    expect(emitted).toEqual([
      { d: '1970-01-01T00:00:00.000Z', m: {}, n: null, b: { type: 'Buffer', data: [97] } },
      null,
      '\u0000\ud800',
      0,
      1,
      2,
      3,
    ]);
  });
});

describe('props of 10 MB', () => {
  const code = `export default { name: 'Ten MB', props: { text: 'string' }, run() {} }`;
  const text = 'x'.repeat(10 * 1024 * 1024);
  const limit = 'at most 64 KB are allowed.';

  test('over REST', async () => {
    const body = { configured_props: { text } };
    const answer = refusal(await world.tryDeploy(code, body));
    expect([answer.status, answer.code]).toEqual([413, 'too_large']);
    expect(answer.error).toMatch(/^The body is larger than \d+ KB\.$/);
    const short = refusal(
      await world.tryDeploy(code, { configured_props: { text: text.slice(0, 3_000_000) } }),
    );
    expect(short).toMatchObject({ status: 400, code: 'bad_input', details: [{ prop: 'text' }] });
    expect(short.error).toBe(`text is 3000000 bytes long; ${limit}`);
  });

  test('from the CLI', async () => {
    const props = join(world.folder, 'ten-mb.json');
    await writeFile(props, JSON.stringify({ text }));
    const run = await world.runtime.weir('deploy', await world.file(code), '--props', props);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(limit);
    expect(run.stderr.length).toBeLessThan(500);
  });

  test('that the component itself fills in by default', async () => {
    const answer = refusal(
      await world.tryDeploy(
        `export default { name: 'Default', props: { text: { type: 'string', default: 'x'.repeat(1e7) } }, run() {} }`,
      ),
    );
    expect(answer).toMatchObject({ status: 400, error: `text is 10000000 bytes long; ${limit}` });
  });
});

describe('names that mean something else on every object', () => {
  const parsed = (json: string) => JSON.parse(json) as object;

  test.for(['__proto__', 'constructor', 'prototype', '$emit', '$auth', ''])(
    'a prop named "%s" is refused',
    async (name) => {
      const answer = refusal(
        await world.tryDeploy(
          `export default { name: 'Bad prop', props: { [${JSON.stringify(name)}]: 'string' }, run() {} }`,
        ),
      );
      expect(answer).toMatchObject({ status: 400, code: 'bad_component' });
      expect(answer.error).toMatch(
        name === '' ? 'A prop has an empty name' : `A prop cannot be named "${name}"`,
      );
    },
  );

  test('a prop named like another member of Object is an ordinary prop', async () => {
    const source = await world.deploy(
      `export default { name: 'Members', props: { toString: 'string', hasOwnProperty: 'string', valueOf: { type: 'string', optional: true } }, run() { this.$emit([this.toString, this.hasOwnProperty]); } }`,
      { configured_props: { toString: 'a', hasOwnProperty: 'b' } },
    );
    expect(await world.emitted(source)).toEqual([['a', 'b']]);
  });

  test('configured values under such names set no prop and no prototype', async () => {
    const code = `export default { name: 'Configured', props: { team: { type: 'string', optional: true } }, run() { this.$emit([String(this.team), String({}.team), Object.keys(this), Object.getPrototypeOf(this) !== null]); } }`;
    const configured_props = parsed(
      '{"__proto__": {"team": "polluted"}, "constructor": {"prototype": {"team": "polluted"}}}',
    );
    const source = await world.deploy(code, { configured_props });
    expect(await world.emitted(source)).toEqual([['undefined', 'undefined', [], true]]);
    expect(source.configured_props).toEqual({});
    const required = code.replace('optional: true', 'optional: false');
    const answer = refusal(await world.tryDeploy(required, { configured_props }));
    expect(answer).toMatchObject({ status: 400, error: 'team is required.' });
  });

  test('as keys of the db they are keys, also after a restart', async () => {
    const source =
      await world.deploy(`export default { name: 'Db keys', props: { db: '$.service.db' }, run({ set }) {
      const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''];
      this.$emit(keys.map((key) => this.db.get(key) ?? null));
      if (set) for (const key of keys) this.db.set(key, { key });
      this.$emit([keys.map((key) => this.db.get(key)?.key ?? null), String({}.key)]);
    } }`);
    const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''];
    const nothing = keys.map(() => null);
    expect(await world.emitted(source, { set: true })).toEqual([nothing, [keys, 'undefined']]);
    await world.runtime.kill();
    await world.start();
    const objects = keys.map((key) => ({ key }));
    expect(await world.emitted(source, {})).toEqual([objects, [keys, 'undefined']]);
  });

  test('as query parameters, form fields, headers and JSON keys they arrive as data', async () => {
    const source =
      await world.deploy(`export default { name: 'Requests', props: { http: '$.interface.http' }, run({ query, body, bodyRaw }) {
      this.$emit({ query: Object.entries(query), body: Object.entries(body), clean: Object.keys(Object.prototype).length === 0 && {}.a === undefined });
    } }`);
    const endpoint = `${endpointOf(source)}?__proto__=x&__proto__[a]=1&constructor=y&constructor=z&toString=s&a=1`;
    const post = (body: string, type: string) =>
      fetch(endpoint, { method: 'POST', body, headers: { 'content-type': type } });
    await post('__proto__=f&constructor=g', 'application/x-www-form-urlencoded');
    await post('{"__proto__": {"a": 1}, "constructor": 2}', 'application/json');
    const query = [
      ['__proto__', 'x'],
      ['__proto__[a]', '1'],
      ['constructor', ['y', 'z']],
      ['toString', 's'],
      ['a', '1'],
    ];
    const events = await world.eventually(source, 2);
    expect(events.map(({ event }) => event)).toEqual([
      {
        query,
        body: [
          ['__proto__', 'f'],
          ['constructor', 'g'],
        ],
        clean: true,
      },
      {
        query,
        body: [
          ['__proto__', { a: 1 }],
          ['constructor', 2],
        ],
        clean: true,
      },
    ]);
    const answer = await world.runtime.rest('GET', `/v1/sources?__proto__=1&constructor=2&limit=1`);
    expect(answer.status).toBe(200);
  });

  test('as ids, channels, events, source names and event_name they are text', async () => {
    const source = await world.deploy(
      `export default { name: '__proto__', dedupe: 'unique', run(event) { for (const id of ['__proto__', 'constructor', '__proto__']) this.$emit(event, { id, name: '__proto__', summary: 'constructor' }); } }`,
    );
    expect(source.name_slug).toBe('proto');
    const sent = parsed('{"__proto__": {"a": 1}}');
    await world.run(source, sent);
    const events = await world.events(source, '&event_name=__proto__');
    expect(events.map(({ event }) => JSON.stringify(event))).toEqual([
      JSON.stringify(sent),
      JSON.stringify(sent),
    ]);
    for (const id of ['__proto__', 'constructor'])
      expect((await world.runtime.rest('GET', `/v1/sources/${id}`)).status).toBe(404);
  });
});

describe('a schedule that cannot work', () => {
  test.for([
    [{ cron: '0 0 30 2 *' }, /never comes due/],
    [{ cron: '61 * * * *' }, /61 \* \* \* \*/],
    [{ cron: 'every day' }, /every day/],
    [{ cron: '0 0 * * *', timezone: 'Mars/Base' }, /Mars\/Base/],
    [{ intervalSeconds: 0.2 }, /0\.2|once a second/],
    [{ intervalSeconds: 1e12 }, /1000000000000|1e\+?12/],
    [{ intervalSeconds: 'soon' }, /must be a number from 1, not "soon"/],
  ] as const)('%j', async ([schedule, sentence]) => {
    const answer = refusal(
      await world.tryDeploy(
        `export default { name: 'Never', props: { timer: '$.interface.timer' }, run() {} }`,
        { configured_props: { timer: schedule } },
      ),
    );
    expect(answer).toMatchObject({ status: 400, code: 'bad_input', details: [{ prop: 'timer' }] });
    expect(answer.error).toMatch(/^timer /);
    expect(answer.error).toMatch(sentence);
  });
});
