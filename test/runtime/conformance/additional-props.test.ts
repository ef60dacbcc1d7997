import { expect, test } from 'vitest';
import type { Source } from '../../../src/protocol/catalogue.ts';
import { conformanceWorld, endpointOf, refusal } from './world.ts';

/** Props that a component computes when it is deployed (P6). */
const world = conformanceWorld();

const update = (source: Source, configured_props: object) =>
  world.runtime.restData<Source>('PUT', `/v1/sources/${source.id}`, { configured_props });

/** Hides what the chosen kind does not need, in place. */
const hiding = (result: string) => `export default { name: 'Hides',
  props: { kind: { type: 'string', reloadProps: true, options: ['team', 'all'] }, team: { type: 'string', hidden: true } },
  async additionalProps(defs) { defs.team.hidden = this.kind !== 'team'; return ${result}; },
  run() { this.$emit([this.kind, this.team ?? null]); } }`;

test.for(['{}', 'defs', 'undefined', '{ team: defs.team }'])(
  'P6.3 additionalProps that changes hidden in its argument and returns %s takes effect',
  async (result) => {
    const code = hiding(result);
    const refused = refusal(await world.tryDeploy(code, { configured_props: { kind: 'team' } }));
    expect(refused).toMatchObject({ status: 400, error: 'team is required.' });

    const source = await world.deploy(code, { configured_props: { kind: 'all' } });
    const hidden = ({ configurable_props }: Source) =>
      configurable_props.map(({ name, hidden: is }) => [name, is]);
    expect(hidden(source)).toEqual([
      ['kind', undefined],
      ['team', true],
    ]);
    expect(await world.emitted(source)).toEqual([['all', null]]);
    const shown = await update(source, { kind: 'team', team: 'red' });
    expect(hidden(shown)).toEqual([
      ['kind', undefined],
      ['team', false],
    ]);
    expect(await world.emitted(source)).toEqual([['team', 'red']]);
  },
);

test('P6.2 what additionalProps returned is on this, and replaces what it returned before', async () => {
  const source = await world.deploy(
    `export default { name: 'Returns', props: { kind: { type: 'string', reloadProps: true } },
    async additionalProps(defs) { return { [this.kind]: { type: 'integer', label: Object.keys(defs).join() } }; },
    run() { this.$emit(Object.entries(this)); } }`,
    { configured_props: { kind: 'a', a: 1 } },
  );
  expect(await world.emitted(source)).toEqual([
    [
      ['kind', 'a'],
      ['a', 1],
    ],
  ]);
  const changed = await update(source, { kind: 'b', b: 2 });
  expect(changed.configurable_props.map(({ name }) => name)).toEqual(['kind', 'b']);
  expect(await world.emitted(source)).toEqual([
    [
      ['kind', 'b'],
      ['b', 2],
    ],
  ]);
});

test('P6.5 additionalProps that returns an http prop makes an endpoint, and a timer prop a timer', async () => {
  const source = await world.deploy(
    `export default { name: 'Poll or webhook', props: { mode: { type: 'string', reloadProps: true } },
    async additionalProps() {
      if (this.mode === 'webhook') return { http: { type: '$.interface.http', customResponse: true } };
      return { timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } } };
    },
    hooks: { activate() { console.log(this.http?.endpoint ?? 'no endpoint'); } },
    run(event) { this.http?.respond({ status: 202, body: this.http.endpoint }); this.$emit(event.interval_seconds ?? event.method); } }`,
    { configured_props: { mode: 'webhook' } },
  );
  const endpoint = endpointOf(source);
  const response = await fetch(endpoint, { method: 'POST' });
  expect([response.status, await response.text()]).toEqual([202, endpoint]);
  expect((await world.eventually(source, 1)).map(({ event }) => event)).toEqual(['POST']);

  const polling = await update(source, { mode: 'poll' });
  expect(polling.endpoint_url).toBeNull();
  expect(polling.next_tick_at).toBeGreaterThan(Date.now());
  expect((await fetch(endpoint, { method: 'POST' })).status).toBe(404);
  expect(await world.emitted(source)).toEqual([900]);
  const back = await update(source, { mode: 'webhook' });
  expect((await fetch(endpointOf(back), { method: 'POST' })).status).toBe(202);
  expect(back.next_tick_at).toBeNull();
  expect(await world.logs(source, 'console')).toEqual([endpoint, 'no endpoint', endpointOf(back)]);
});

test('P17.16 what additionalProps logged before it failed is in the answer', async () => {
  const code = `export default { name: 'Talks', props: { table: { type: 'string', reloadProps: true } },
    additionalProps() { console.log('asking for', this.table); console.error('refused'); throw new Error('No.'); }, run() {} }`;
  const answer = refusal(await world.tryDeploy(code, { configured_props: { table: 'x' } }));
  expect(answer.details).toMatchObject([
    { k: 'console', level: 'info', message: 'asking for x' },
    { k: 'console', level: 'error', message: 'refused' },
  ]);
  const run = await world.runtime.weir('deploy', await world.file(code), '--prop', 'table=x');
  expect(run).toMatchObject({
    code: 1,
    stderr: 'weir: additionalProps failed: No.\n  - asking for x\n  - refused\n',
  });
});

test('P12.8 a ConfigurationError of additionalProps is its message, without a stack', async () => {
  const answer = await world.tryDeploy(
    `class ConfigurationError extends Error { name = 'ConfigurationError'; }
    export default { name: 'Needs a table', props: { table: { type: 'string', reloadProps: true } }, additionalProps() { throw new ConfigurationError('There is no table ' + this.table); }, run() {} }`,
    { configured_props: { table: 'x' } },
  );
  const { status, error } = refusal(answer);
  expect([status, error]).toEqual([422, 'additionalProps failed: There is no table x']);
  expect(JSON.stringify(answer.body)).not.toMatch(/\bat .*component/);
  expect((await world.runtime.rest('GET', '/v1/sources/needs-a-table')).status).toBe(404);
});

test('P3.14 what additionalProps adds is named as what a file declares', async () => {
  for (const name of ['$emit', '$auth', 'constructor']) {
    const code = `export default { name: 'Names', props: {},
      additionalProps() { return { ${JSON.stringify(name)}: { type: 'string', optional: true } }; }, run() {} }`;
    expect(refusal(await world.tryDeploy(code)).error).toContain(
      `A prop cannot be named "${name}"; rename it.`,
    );
  }
});

test('P3.10 a bare value of a fixed option gets its label with withLabel', async () => {
  const source = await world.deploy(
    `export default { name: 'Labels', props: {
      one: { type: 'string', withLabel: true, options: [{ label: 'Red', value: 'r' }, 'blue'] },
      more: { type: 'string[]', withLabel: true, options: [{ label: 'Red', value: 'r' }, 'blue'] },
      plain: { type: 'string', options: [{ label: 'Red', value: 'r' }] } },
      run() { this.$emit([this.one, this.more, this.plain]); } }`,
    { configured_props: { one: 'r', more: ['blue', 'r'], plain: 'r' } },
  );
  const red = { label: 'Red', value: 'r' };
  expect(await world.emitted(source)).toEqual([
    [red, [{ label: 'blue', value: 'blue' }, red], 'r'],
  ]);
});

test('P18.16 an event on a reserved channel goes out without one, with a warning', async () => {
  const source = await world.deploy(
    `export default { name: 'Reserved', props: {}, run() {
      for (const name of ['$errors', '$logs', '$in', 'mine']) this.$emit(name, { name });
    } }`,
  );
  expect(await world.emitted(source)).toEqual(['$errors', '$logs', '$in', 'mine']);
  const events = await world.events(source);
  expect(events.map(({ metadata }) => metadata.name).sort()).toEqual(['', '', '', 'mine']);
});
