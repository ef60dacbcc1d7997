import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OwnedEmitters } from '../../../../../src/runtime/events/owner/owned-emitters.ts';
import type { FileIo } from '../../../../../src/runtime/store/sqlite/wasm/io.ts';
import { breakable } from '../../store/sqlite/breakable.ts';
import { httpTrigger, run, scheduled, source } from '../../../../support/records.ts';
import { until } from '../../../../support/until.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { invocationsOf } from '../../../../support/invocations.ts';
import { open } from '../../../../support/open-store.ts';

const trigger = httpTrigger(Buffer.from('{}'));

/**
 * A real store with one source that has no process: what is asked of it is cancelled. `asked` is told whose
 * turn it is.
 */
async function world(io: FileIo, asked: string[] = []) {
  const file = join(temporaryFolder(), 'weir.db');
  const store = await open(file, io);
  onTestFinished(() => store.close().catch(() => undefined));
  const logged: string[] = [];
  const emitters = new OwnedEmitters();
  for (const id of ['dc_1', 'dc_2']) {
    await store.sources.insert(source(id));
    emitters.add(await store.ownership.take(id));
  }
  const { inbox, invocations } = invocationsOf({
    store,
    emitters,
    listenersOf: (id) => ({ webhooks: [], triggers: id === 'dc_1' ? ['dc_2'] : [] }),
    log: (_level, message) => logged.push(message),
    runnerOf: (id) => void asked.push(id),
  });
  return { file, store, emitters, inbox, invocations, logged };
}

test('a caller whose run cannot be stored hears why: a hook, and a run by hand', async () => {
  const { io, state } = breakable('ENOSPC');
  const { inbox, invocations, logged } = await world(io);
  const hook = invocations.hook('dc_1', 'activate', AbortSignal.any([]));
  const byHand = new Promise((_ended, failed) => {
    const caller = { failed };
    inbox.accept('dc_1', { cause: 'manual', trigger, caller }).durable.catch(() => undefined);
  });
  state.broken = 'write';
  const full = { code: 'store_failed', message: expect.stringMatching(/is full/) as string };
  await expect(hook).rejects.toMatchObject(full);
  await expect(byHand).rejects.toMatchObject(full);
  expect(logged).toHaveLength(2);
  expect(logged[0]).toMatch(/^An invocation could not be stored: .* is full/);
});

test('once the runtime stops, whoever waits hears that nobody will answer, and the event stays', async () => {
  const { inbox, invocations, store } = await world(fs);
  invocations.stop();
  const error = { code: 'runtime_unavailable' };
  await expect(invocations.hook('dc_1', 'activate', AbortSignal.any([]))).rejects.toMatchObject(
    error,
  );
  const byHand = new Promise((_ended, failed) => {
    inbox.accept('dc_1', { cause: 'manual', trigger, caller: { failed } });
  });
  await expect(byHand).rejects.toEqual(expect.objectContaining(error));
  await store.flush();
  const { unfinished } = await store.ownership.take('dc_1');
  expect(unfinished.map(({ record }) => [record.cause, record.status])).toEqual([
    ['manual', 'queued'],
  ]);
});

test('a request that is only recorded is on disk together with its end: no crash makes it run', async () => {
  const copy = temporaryFolder();
  let atFirstBarrier: (() => void) | undefined;
  const io = {
    ...fs,
    fdatasync: ((fd: number, done: (error: Error | null) => void) => {
      atFirstBarrier?.();
      atFirstBarrier = undefined;
      fs.fdatasync(fd, done);
    }) as typeof fs.fdatasync,
  };
  const { file, inbox } = await world(io);
  const { durable } = inbox.record('dc_1', { cause: 'http', trigger });
  // What a crash at that moment would leave.
  atFirstBarrier = () => {
    fs.cpSync(dirname(file), copy, { recursive: true });
  };
  await durable;
  const left = await open(join(copy, 'weir.db'));
  onTestFinished(() => left.close());
  expect((await left.ownership.take('dc_1')).unfinished).toEqual([]);
  expect(await left.invocations.get(1)).toMatchObject({ status: 'cancelled', cause: 'http' });
});

test('a listener runs what it hears when that is on disk, and not before: a crash could take it back', async () => {
  let waiting: (() => void) | undefined;
  let isHeld = false;
  const io = {
    ...fs,
    fdatasync: ((fd: number, done: (error: Error | null) => void) => {
      const sync = (): void => fs.fdatasync(fd, done);
      if (isHeld) waiting = sync;
      else sync();
    }) as typeof fs.fdatasync,
  };
  const asked: string[] = [];
  const { store, emitters, invocations } = await world(io, asked);
  const emitter = emitters.require('dc_1');
  await run(store, { fence: emitter.fence, scheduled: [scheduled(1), scheduled(2)] });
  const { emits } = await store.scheduledEmits.due('dc_1', 9, { count: 9, bytes: 1e6 });

  isHeld = true;
  const told = invocations.emitDue(emitter, emits);
  const sync = await until('the barrier', () => waiting);
  expect((await store.invocations.list('dc_2', { limit: 9 })).total).toBe(2);
  expect(asked).toEqual([]);
  isHeld = false;
  sync();
  await told;
  expect(asked).toEqual(['dc_2', 'dc_2']);
});
