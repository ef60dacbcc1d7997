import { expect, test } from 'vitest';
import type { Page, Source } from '../../../src/protocol/catalogue.ts';
import { until } from '../../support/until.ts';
import { conformanceWorld, endpointOf, refusal } from './world.ts';

/** What takes too long or grows too large is ended or reported, and harms nothing else. */
const world = conformanceWorld('--set', 'run.timeoutSeconds=2');

const waits = 'await new Promise(() => setInterval(() => {}, 1000));';

test.for([
  ['waits for ever', waits],
  ['never lets go', 'await new Promise((resolve) => setTimeout(resolve, 50)); for (;;);'],
] as const)('a hook that %s is ended; its deploy leaves nothing behind', async ([, code]) => {
  for (const hook of ['deploy', 'activate']) {
    const answer = refusal(
      await world.tryDeploy(
        `export default { name: 'Stuck', hooks: { async ${hook}() { console.log('so far'); ${code} } }, run() {} }`,
      ),
    );
    expect(answer).toMatchObject({ status: 422, code: 'component_failed' });
    expect(answer.error).toBe(
      `The ${hook} hook of Stuck failed: ran longer than 2 s. Nothing was deployed.`,
    );
    expect(answer.details?.map(({ message }) => message)).toContain('so far');
  }
  const { body } = await world.runtime.rest('GET', '/v1/sources?limit=100');
  expect((body as Page<Source>).data.map(({ name }) => name)).not.toContain('Stuck');
});

test('a deactivate hook that waits for ever keeps nobody from updating or deleting', async () => {
  const source = await world.deploy(
    `export default { name: 'Clings', hooks: { async deactivate() { ${waits} } }, run() { this.$emit('old'); } }`,
  );
  const component_path = await world.file(
    `export default { name: 'Lets go', hooks: { async deactivate() { ${waits} } }, run() { this.$emit('new'); } }`,
  );
  const path = `/v1/sources/${source.id}`;
  expect((await world.runtime.rest('PUT', path, { component_path })).status).toBe(200);
  expect(await world.emitted(source)).toEqual(['new']);
  expect((await world.runtime.rest('DELETE', path)).status).toBe(422);
  const ignoring = await world.runtime.rest('DELETE', `${path}?ignore_hook_errors=true`);
  expect(ignoring.status).toBe(200);
});

test('a run that waits for ever ends in time; the next one has a fresh process', async () => {
  const source = await world.deploy(
    `let runs = 0; export default { name: 'Waits', props: { http: '$.interface.http' }, async run({ body }) { runs += 1; this.$emit([body, runs]); if (body === 'wait') { ${waits} } } }`,
  );
  for (const body of ['wait', 'go']) await fetch(endpointOf(source), { method: 'POST', body });
  const events = await world.eventually(source, 2);
  expect(events.map(({ event }) => event)).toContainEqual(['wait', 1]);
  const error = await until('the end of the first run', async () => {
    const lines = await world.logs(source, 'error');
    return lines.find((line) => line.includes('ran longer than 2 s'));
  });
  expect(error).toBeDefined();
  expect(await world.emitted(source, { body: 'after' })).toEqual([['after', expect.any(Number)]]);
});

test('a db that outgrows the platform is kept, and the log says so once', async () => {
  const source = await world.deploy(`export default { name: 'Hoards', props: { db: '$.service.db' },
    run({ key, size }) { this.db.set(key, 'x'.repeat(size)); this.$emit(this.db.get(key).length); } }`);
  const warnings = async () => (await world.logs(source)).filter((line) => line.includes('60 KB'));
  for (const key of ['a', 'b']) await world.run(source, { key, size: 30_000 });
  expect(await warnings()).toEqual([]);
  for (const key of ['c', 'd']) {
    expect(await world.emitted(source, { key, size: 30_000 })).toEqual([30_000]);
  }
  expect(await warnings()).toEqual([
    'this.db holds more than 60 KB now. Weir keeps it; Pipedream may not.',
  ]);
});
