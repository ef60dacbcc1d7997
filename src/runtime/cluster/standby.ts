/** A node that does not lead: its data folder, and its listeners. */
import { join } from 'node:path';
import { folderId } from '../../protocol/folder-id.ts';
import type { RuntimeFile } from '../../protocol/rpc.ts';
import { readApiKey } from '../accounts/api-key.ts';
import type { Sealer } from '../accounts/seal.ts';
import { systemClock } from '../base/clock.ts';
import { type Closing, createClosing } from '../base/closing.ts';
import { type ConnectionRouterOptions, openConnectionRouter } from './connection-router.ts';
import { openDataFolder } from '../store/data-folder/data-folder.ts';
import { createLog, describeError, type Level, type Log } from '../base/log.ts';
import { resolveListenOptions, type ListenFlags } from '../server/listen-options.ts';
import { localPort, portsInFolder } from '../server/remembered-ports.ts';
import { openCertificate } from '../server/certificate.ts';

export interface StandbyOptions extends ListenFlags {
  readonly data: string;
  readonly port?: number | undefined;
  readonly version: string;
  readonly echo?: ((level: Level, line: string) => void) | undefined;
  readonly channelKey: Buffer;
  readonly sealer: Sealer;
  /** Reads a setting of the database. */
  readonly setting: (key: string) => Promise<string | undefined>;
  /** `HOST:PORT` of the node that leads. */
  readonly active: () => string | undefined;
  /** See `DoorwayOptions`. */
  readonly serve: ConnectionRouterOptions['serve'];
}

export interface Standby {
  /** Path of its data folder. */
  readonly folder: string;
  readonly file: RuntimeFile;
  readonly outsideUrl: string | undefined;
  readonly log: Log;
  /** Lets a runtime have the data folder. */
  leaveFolder(): Promise<void>;
  /** Lets it have the ports; callers that are here stay. */
  leavePorts(): Promise<void>;
  /** Ends callers that were passed on to another node than this one. */
  endOthers(address: string): void;
  /** See `Doorway`. */
  answered(graceMs: number): Promise<void>;
  /** Ends what is left. */
  close(): Promise<void>;
}

export async function openStandby(options: StandbyOptions): Promise<Standby> {
  const folder = await openDataFolder(options.data);
  const log = createLog(join(folder.path, 'logs'), Date.now, () => folder.inPlace(), options.echo);
  const closing: Closing = createClosing((where, error) =>
    log('error', `${where}: ${describeError(error)}`),
  );
  let hasFolder = true;
  const leaveFolder = async (): Promise<void> => {
    if (!hasFolder) return;
    hasFolder = false;
    await folder.release();
  };
  closing.push(leaveFolder);
  try {
    const apiKey = await readApiKey(options.setting, options.sealer);
    const ports = await portsInFolder(folder.path);
    // Whether others may come in is for the node that leads to say.
    const { outside, localHost = '127.0.0.1' } = resolveListenOptions(options, true);
    const certificate =
      outside?.tls === undefined
        ? undefined
        : await openCertificate({ files: outside.tls, clock: systemClock, log });
    closing.push(() => certificate?.close());
    const router = await openConnectionRouter({
      local: {
        host: localHost,
        port: localPort(ports, options.port, outside !== undefined),
      },
      outside: outside && {
        host: outside.host,
        port: { asked: options.port, remembered: ports.get('outsidePort') },
        certificate,
      },
      key: options.channelKey,
      serve: options.serve,
      active: options.active,
      clock: systemClock,
      warn: (message) => log('warn', message),
    });
    closing.push(() => router.close());
    await ports.set('port', router.port);
    if (router.outsidePort !== undefined) await ports.set('outsidePort', router.outsidePort);
    const file: RuntimeFile = {
      url: `http://${localHost}:${router.port}`,
      pid: process.pid,
      apiKey,
      version: options.version,
      startedAt: new Date().toISOString(),
      folder: folderId(folder.path),
    };
    await folder.announce(file);
    const scheme = certificate === undefined ? 'http' : 'https';
    return {
      folder: folder.path,
      file,
      outsideUrl:
        outside && router.outsidePort !== undefined
          ? `${scheme}://${outside.host}:${router.outsidePort}`
          : undefined,
      log,
      leaveFolder,
      leavePorts: () => router.leave(),
      endOthers: (address) => router.endOthers(address),
      answered: (graceMs) => router.answered(graceMs),
      close: () => closing.closeAll(),
    };
  } catch (error) {
    await closing.closeAll();
    throw error;
  }
}
