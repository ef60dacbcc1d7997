import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EmittedEvent, Source } from '../../../src/protocol/catalogue.ts';
import { gather, spawnCli } from '../../support/cli.ts';
import { until } from '../../support/until.ts';
import { conformanceWorld } from './world.ts';

/** What the CLI prints (P24). */
const world = conformanceWorld();

/** A `weir events` that goes on until the test ends. */
function follow(...args: string[]): () => unknown[] {
  const data = join(world.folder, 'data');
  const command = spawnCli(['events', ...args, '--json', '--data', data], {
    configFolder: join(world.folder, 'config'),
  });
  onTestFinished(() => void command.kill('SIGKILL'));
  const stdout = gather(command.stdout);
  return () =>
    stdout()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as EmittedEvent).event);
}

test('P24.2 weir events -n 10 prints the last 10, oldest first; -f follows; both do both', async () => {
  const source = await world.deploy(
    `export default { name: 'Counts', run(numbers) { for (const n of numbers) this.$emit(n, { name: n % 2 ? '' : 'even' }); } }`,
  );
  const emit = (from: number, to: number) =>
    world.run(
      source,
      Array.from({ length: to - from + 1 }, (_, i) => from + i),
    );
  const printed = async (...args: string[]) =>
    (await world.runtime.weirJson<EmittedEvent[]>('events', ...args)).map(({ event }) => event);
  await emit(1, 12);
  const lastTen = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  expect(await printed(source.id, '-n', '10')).toEqual(lastTen);
  expect(await printed('counts')).toEqual(lastTen);
  expect(await printed('counts', '-n', '2', '--channel', 'even')).toEqual([10, 12]);

  const followed = follow('counts', '-f');
  const both = follow('counts', '-n', '1', '-f');
  await until('what there is', () => followed().length >= 10 && both().length === 1);
  await emit(13, 14);
  await emit(15, 15);
  await until('what is new', () => followed().length >= 13 && both().length >= 4);
  expect(followed()).toEqual([...lastTen, 13, 14, 15]);
  expect(both()).toEqual([12, 13, 14, 15]);
});

test('P18.2 subscriptions are made and deleted by their parts', async () => {
  const emitter = await world.deploy(`export default { name: 'Speaks', run() { this.$emit(1); } }`);
  const listener = await world.deploy(
    `export default { name: 'Hears', run(e) { this.$emit(e); } }`,
  );
  const made = await world.runtime.weirJson<object>('subscriptions', 'create', 'speaks', 'hears');
  expect(made).toMatchObject({ emitter_id: emitter.id, listener_id: listener.id, event_name: '' });
  await world.run(emitter);
  await world.eventually(listener, 1);
  const remove = () =>
    world.runtime.weir('subscriptions', 'delete', emitter.id, listener.id, '--event-name', '');
  expect((await remove()).code).toBe(0);
  expect((await remove()).code).toBe(1);
});

test('P21.7 a deploy prints id, name and endpoint; commands take the slug', async () => {
  const path = await world.file(
    `export default { name: 'From The Shell', props: { http: '$.interface.http', n: 'integer' }, run() { this.$emit(this.n); } }`,
  );
  const source = await world.runtime.weirJson<Source>('deploy', path, '--prop', 'n=7');
  expect(source).toMatchObject({ name: 'From The Shell', name_slug: 'from-the-shell' });
  expect((await fetch(source.endpoint_url ?? '')).status).toBe(200);
  await world.eventually(source, 1);
  const invoked = await world.runtime.weirJson<{ emitted: EmittedEvent[] }>(
    'invoke',
    'from-the-shell',
  );
  expect(invoked.emitted.map(({ event }) => event)).toEqual([7]);
});
