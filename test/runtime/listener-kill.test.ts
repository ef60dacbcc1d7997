import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { open } from '../support/open-store.ts';

test('a kill -9 between a commit and its fan-out: the listeners have it all the same', async () => {
  const folder = temporaryFolder();
  const script = join(folder, 'listener-child.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'listener-child.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  const file = join(folder, 'weir.db');
  const child = spawn(process.execPath, [script, file], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);

  const store = await open(file);
  onTestFinished(() => store.close());
  const [event] = (await store.events.list('dc_1', { limit: 9 })).rows;
  expect(event).toMatchObject({ payload: '{"made":1}' });
  const emitter = await store.ownership.take('dc_1');
  expect(emitter.unfinished).toEqual([]);
  expect(emitter.openDeliveries).toMatchObject([{ webhookId: 'wh_1', eventId: event?.id }]);
  const listener = await store.ownership.take('dc_2');
  expect(listener.released).toBe(false);
  expect(listener.unfinished).toMatchObject([
    { record: { cause: 'event', attempt: 1 }, trigger: { kind: 'event', json: '' } },
  ]);
  const { n } = listener.unfinished[0]!.record;
  expect(await store.invocations.trigger(n)).toEqual({
    kind: 'event',
    json: '{"made":1}',
    hops: 1,
  });
});
