import { expect, test } from 'vitest';
import { emitted, event, hostsFor, perform, request, start } from './hosts-helper.ts';

const hosts = await hostsFor();

test('a source is loaded, configured and run', async () => {
  const { host } = await start(
    hosts,
    `export default {
      name: 'Greeter', key: 'x-greeter', version: '0.0.1', dedupe: 'unique',
      props: { db: '$.service.db', name: 'string', http: { type: '$.interface.http', customResponse: true } },
      methods: { greet() { return 'hello ' + this.name; } },
      async run(event) {
        console.log('run', event.body.x, { a: 1 });
        const { greet, http: { respond } } = this;
        respond({ status: '201', body: { ok: true } });
        this.db.set('n', (this.db.get('n') ?? 0) + 1);
        this.$emit({ text: greet(), n: this.db.get('n') }, { id: 7, summary: 'S', ts: new Date(5) });
      },
    }`,
    { props: { name: 'you' }, endpoints: { http: 'http://e/h' }, db: { db: { n: '41' } } },
  );
  expect(host.definition).toMatchObject({ name: 'Greeter', type: 'source', hasRun: true });
  const outcome = await perform(host, request('{"x":1}', { 'content-type': 'application/json' }));
  expect(emitted(outcome)).toEqual([{ text: 'hello you', n: 42 }]);
  expect(outcome.emits[0]).toMatchObject({ id: 7, summary: 'S', ts: 5 });
  expect(outcome.db).toEqual([{ prop: 'db', key: 'n', json: '42' }]);
  expect(outcome.logs).toMatchObject([{ level: 'info', text: 'run 1 { a: 1 }' }]);
  expect(outcome.responses).toEqual([
    { status: 201, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' },
  ]);
  expect(outcome.messages).toBe(1);
});

test('what was thrown comes with the stack of the component', async () => {
  const { host } = await start(hosts, 'export default { run() { throw new TypeError("no"); } }');
  const { error } = await perform(host, event());
  expect(error).toMatchObject({ name: 'TypeError', message: 'no' });
  expect(error?.stack).toMatch(/component-\d+\.mjs:1:\d+/);
  expect(error?.stack).not.toContain('component-host.js');
});
