import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Source } from '../../../src/protocol/catalogue.ts';
import { conformanceWorld } from './world.ts';

/** The three strategies over several runs (P11). */
const world = conformanceWorld();

/** Emits what it is told to: `[id, ts]` each; the id is the event, too. */
const emitting = (dedupe: string, extra = '') => `export default {
  name: 'Emits by ${dedupe}', dedupe: '${dedupe}', ${extra}
  run(given) { for (const [id, ts] of given.ids) this.$emit(id, { id, ...(ts === null ? {} : { ts }) }); } }`;

const noTs = (ids: readonly unknown[]) => ({ ids: ids.map((id) => [id, null]) });

test('P11.4 greatest: ids 3, 2, 1 with ts come out oldest first; the same again gives nothing', async () => {
  const source = await world.deploy(emitting('greatest'));
  const newestFirst = { ids: [3, 2, 1].map((id) => [id, id * 1000]) };
  expect(await world.emitted(source, newestFirst)).toEqual([1, 2, 3]);
  expect(await world.emitted(source, newestFirst)).toEqual([]);
  expect(await world.emitted(source, noTs([3, 4, 2]))).toEqual([4]);
});

test('P10.14 greatest: every event that was left out says why', async () => {
  const source = await world.deploy(emitting('greatest'));
  await world.emitted(source, noTs([5]));
  const run = await world.run(source, noTs([5, 'a-7', undefined]));
  expect([run.emitted_count, run.dropped_count]).toEqual([0, 3]);
  expect(await world.logs(source, 'drop')).toEqual([
    'The id 5 is not greater than 5, the greatest so far (dedupe "greatest").',
    'The id "a-7" is not a number, and dedupe "greatest" compares numbers.',
    'No id was given to $emit, and dedupe "greatest" needs one.',
  ]);
});

test('P11.2 unique: the 101st id pushes out the first, whose re-emission passes', async () => {
  const source = await world.deploy(emitting('unique'));
  const hundredAndOne = Array.from({ length: 101 }, (_, i) => `id-${i}`);
  expect(await world.emitted(source, noTs(hundredAndOne))).toHaveLength(101);
  expect(await world.emitted(source, noTs(['id-1', 'id-100']))).toEqual([]);
  expect(await world.emitted(source, noTs(['id-0']))).toEqual(['id-0']);
});

test('P11.3 unique: an id that is seen again does not live longer for it', async () => {
  const source = await world.deploy(emitting('unique'));
  const hundred = Array.from({ length: 100 }, (_, i) => `id-${i}`);
  await world.emitted(source, noTs(hundred));
  expect(await world.emitted(source, noTs(['id-0']))).toEqual([]);
  expect(await world.emitted(source, noTs(['new', 'id-0']))).toEqual(['new', 'id-0']);
});

test('P11.1 unique: the id alone counts: not the payload, the channel, the ts; 1 is "1"', async () => {
  const source = await world.deploy(
    `export default { name: 'Only the id', dedupe: 'unique', run() { this.$emit('a', { id: 1, name: 'x', ts: 1 }); this.$emit('b', { id: '1', ts: 2 }); this.$emit('c', { id: 0, ts: 3 }); } }`,
  );
  expect(await world.emitted(source)).toEqual(['a', 'c']);
});

test('P11.7 last: after a, b, c the batch b, c, d gives d; a batch without c gives all', async () => {
  const source = await world.deploy(emitting('last'));
  expect(await world.emitted(source, noTs(['a', 'b', 'c']))).toEqual(['a', 'b', 'c']);
  expect(await world.emitted(source, noTs(['b', 'c', 'd']))).toEqual(['d']);
  expect(await world.emitted(source, noTs(['x', 'y']))).toEqual(['x', 'y']);
  expect(await world.emitted(source, noTs([]))).toEqual([]);
  expect(await world.emitted(source, noTs(['y', 'z']))).toEqual(['z']);
});

test('P11.13 dedupe and db outlive an update, a kill -9 and a clean stop; a delete ends them', async () => {
  const code = (version: number) => `export default {
    name: 'Remembers', dedupe: 'unique', props: { db: '$.service.db' },
    run(given) { const n = (this.db.get('n') ?? 0) + 1; this.db.set('n', n); for (const id of given.ids) this.$emit({ id, n, version: ${version} }, { id }); } }`;
  const path = await world.file(code(1));
  const deploy = () =>
    world.runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const source = await deploy();
  const emitted = (...ids: string[]) => world.emitted(source, { ids });
  expect(await emitted('a')).toEqual([{ id: 'a', n: 1, version: 1 }]);

  await writeFile(path, code(2));
  await world.runtime.restData('PUT', `/v1/sources/${source.id}`, { component_path: path });
  expect(await emitted('a', 'b')).toEqual([{ id: 'b', n: 2, version: 2 }]);

  await world.runtime.kill();
  await world.start();
  expect(await emitted('a', 'b', 'c')).toEqual([{ id: 'c', n: 3, version: 2 }]);

  expect(await world.runtime.stop()).toBe(0);
  await world.start();
  expect(await emitted('c', 'd')).toEqual([{ id: 'd', n: 4, version: 2 }]);

  await world.runtime.restData('DELETE', `/v1/sources/${source.id}`);
  const again = await deploy();
  expect(again.id).not.toBe(source.id);
  expect(await world.emitted(again, { ids: ['a'] })).toEqual([{ id: 'a', n: 1, version: 2 }]);
});
