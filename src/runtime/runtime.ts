/**
 * The composition root: it makes the rooms, connects what they tell each other, and takes them down
 * in the opposite order. Read it as the table of contents of the runtime; `composition/` has a file
 * for each group of rooms.
 */
import { join } from 'node:path';
import { messageOf, WeirError } from '../protocol/errors.ts';
import { folderId } from '../protocol/folder-id.ts';
import type { RuntimeFile } from '../protocol/rpc.ts';
import { systemClock } from './clock.ts';
import { createClosing } from './composition/closing.ts';
import { openCode } from './composition/code.ts';
import { type Faces, openFaces } from './composition/faces.ts';
import { type Footing, openGround } from './composition/ground.ts';
import type { RuntimeOptions } from './composition/options.ts';
import { createRunning } from './composition/running.ts';
import { openShared } from './composition/shared.ts';
import { createTrying } from './composition/trying.ts';
import { nameOf, openDataFolder } from './data-folder/data-folder.ts';
import { watchPlace } from './data-folder/watch-place.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { type IdPrefix, newId, secureRandom } from './ids.ts';
import { Lifecycle } from './lifecycle/lifecycle.ts';
import { restore } from './lifecycle/restore.ts';
import { createLog, describeError } from './log.ts';
import type { Room } from './operations/room.ts';
import { startRetention } from './retention.ts';
import { startSearchIndex } from './search-index.ts';
import { systemTimer } from './set-timer.ts';
import { giveBackSpareMemory, ownCollector } from './spare-memory.ts';

export interface Runtime {
  readonly file: RuntimeFile;
  /** How many RPC clients are connected; told at each change. */
  onClients(listener: (count: number) => void): void;
  /** Ends cleanly; what still runs goes on at the next start. The same promise for every caller. */
  stop(): Promise<void>;
  /** Resolves when it has ended, whoever asked for it. */
  readonly ended: Promise<void>;
}

/** Long enough for a run in flight to end, short enough for a person who waits. */
const stopGraceMs = 3000;

/** What cannot be started is taken down again; the log says why. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const folder = await openDataFolder(options.data);
  const logs = join(folder.path, 'logs');
  const log = createLog(logs, Date.now, () => folder.inPlace(), options.echo);
  const report = (where: string, error: unknown) =>
    log('error', `${where}: ${describeError(error)}`);
  const closing = createClosing(report);
  closing.push(() => folder.release());
  const uncaught = (error: Error): void =>
    log('error', `The runtime ends, as nothing caught this error: ${error.stack ?? error.message}`);
  process.on('uncaughtExceptionMonitor', uncaught);
  closing.push(() => void process.off('uncaughtExceptionMonitor', uncaught));
  if (folder.leftBehind !== undefined) {
    log(
      'warn',
      `The data folder that stood at ${folder.path} before was deleted or moved away while ${nameOf(folder.leftBehind)} used it; that one still runs, answers 503 and keeps its port. Stop it.`,
    );
  }
  try {
    return await start({ options, folder, log, report, closing });
  } catch (error) {
    log('error', `Weir could not start: ${messageOf(error)}`);
    await closing.closeAll();
    throw error;
  }
}

async function start(footing: Footing): Promise<Runtime> {
  const { options, folder, log, report, closing } = footing;
  const { settings, version } = options;
  const ground = await openGround(footing);
  const { store, signals, sealer, accounts, address, now } = ground;
  const makeId = (prefix: IdPrefix) => newId(prefix, secureRandom);

  const shared = await openShared(ground);
  const code = await openCode(ground, shared);
  const { components, hosts } = code;
  const trying = createTrying(ground, code);
  const running = createRunning(ground, shared, trying);
  const { instances, invocations, timers } = running;
  const deliveries = createDeliveries({
    store,
    signals,
    now,
    random: Math.random,
    openSecret: (sealed) => sealer.open(sealed),
    concurrency: settings['delivery.concurrency'],
    report,
  });
  closing.push(() => deliveries.close());
  signals.on('committed', ({ made }) => deliveries.enqueue(made.deliveries));
  const lifecycle = new Lifecycle({
    store,
    signals,
    components,
    instances,
    invocations,
    accounts,
    sealer,
    timers,
    prepare: trying.prepare,
    newId: makeId,
    now,
    log,
  });
  closing.push(startRetention({ store, signals, settings, now, setTimer: systemTimer, log }));
  closing.push(startSearchIndex({ store, signals, setTimer: systemTimer, log }));
  closing.push(giveBackSpareMemory(ownCollector(), systemTimer));
  await restore({ store, components, instances, log });

  const holdRuns = (): void => {
    timers.close();
    invocations.stop();
    for (const { live } of instances.all()) live.stop();
  };
  const lost = (): void => {
    // What runs now cannot be stored; all else is better off with the next start.
    holdRuns();
    store.fail(
      new WeirError(
        'store_failed',
        `The data folder ${folder.path} was deleted, moved away or replaced while the runtime with pid ${process.pid} used it: stop that runtime, and start it again.`,
      ),
    );
  };
  const isInPlace = () => folder.inPlace() && store.inPlace();
  closing.push(watchPlace({ inPlace: isInPlace, lost, clock: systemClock }));

  let stopping: Promise<void> | undefined;
  let ended: () => void = () => undefined;
  const endedPromise = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      log('info', 'Stopping');
      faces.rpc.close('The runtime is stopping.');
      faces.api.close('The runtime is stopping.');
      holdRuns();
      await Promise.all(instances.all().map(({ live }) => live.drain(stopGraceMs)));
      await closing.closeAll();
      ended();
    })();
    return stopping;
  };

  const startedAt = new Date(now()).toISOString();
  const room: Room = {
    store,
    signals,
    lifecycle,
    invocations,
    instances,
    components,
    ...trying,
    deliveries,
    accounts,
    dataStores: shared.dataStores,
    sealer,
    newId: makeId,
    now,
    endpointUrl: address.endpointUrl,
    stashDir: shared.stashDir,
    info: () => ({
      version,
      url: faces.server.url,
      public_url: options.publicUrl ?? null,
      pid: process.pid,
      data_folder: folder.path,
      started_at: startedAt,
      clients: faces.rpc.clients,
      hosts: hosts
        .list()
        .map((host) => ({ pid: host.pid, source_id: host.sourceId, in_flight: host.inFlight })),
    }),
    stop: () => setImmediate(() => void stop()),
  };
  const faces: Faces = await openFaces(ground, shared, running, room);
  const { server, rpc, apiKey } = faces;
  await store.settings.set('port', String(server.port));

  await invocations.recover();
  lifecycle.startTimers();
  deliveries.start();

  const { pid } = process;
  const file = { url: server.url, pid, apiKey, version, startedAt, folder: folderId(folder.path) };
  await folder.announce(file);
  hosts.warm();
  log('info', `Weir ${version} serves ${folder.path} at ${server.url}`);

  return { file, onClients: (listener) => void rpc.onClients(listener), stop, ended: endedPromise };
}
