/** How the runtime is reached: RPC, REST and streams for people's programs, endpoints for third parties. */
import { randomBytes } from 'node:crypto';
import { protocolVersion } from '../../protocol/rpc.ts';
import { type Api, createApi } from '../faces/api.ts';
import { createRpcFace, type RpcFace } from '../faces/rpc.ts';
import { serveFile } from '../files/serve-file.ts';
import { filePrefix } from '../files/shared-files.ts';
import { createChangeFeed } from '../operations/changes.ts';
import { createHandlers } from '../operations/handlers.ts';
import { createOperations } from '../operations/operations.ts';
import type { Room } from '../operations/room.ts';
import { createServer, type Server } from '../server/server.ts';
import type { SettingsTable } from '../store/configuration/settings.ts';
import { createEndpointHandler } from '../triggers/http/handler.ts';
import { endpointPrefix } from '../triggers/http/route.ts';
import type { Ground } from './ground.ts';
import type { Running } from './running.ts';
import type { Shared } from './shared.ts';

export interface Faces {
  readonly rpc: RpcFace;
  readonly api: Api;
  readonly server: Server;
  /** What clients prove themselves with; the same in every start of a data folder. */
  readonly apiKey: string;
}

/** Requests are answered from now on, at an address that the next start takes again when it is free. */
export async function openFaces(
  ground: Ground,
  shared: Shared,
  { instances, invocations }: Running,
  room: Room,
): Promise<Faces> {
  const { options, store, signals, address, log, report, closing } = ground;
  const operations = createOperations(
    createHandlers(room),
    report,
    () => store.flush(),
    () => store.failure,
  );
  const rpc = createRpcFace({
    operations,
    changes: createChangeFeed(room),
    hello: { protocol: protocolVersion, version: options.version, pid: process.pid },
    report,
  });
  const api = createApi({ operations, store, signals, report });
  const endpoint = createEndpointHandler({
    endpoint: (id) => instances.endpoint(id),
    accept: (sourceId, trigger, listener) =>
      invocations.accept(sourceId, trigger, 'http', listener),
    record: (sourceId, trigger) => invocations.record(sourceId, trigger, 'http'),
    upload: async (request) => {
      if (store.failure !== undefined) throw store.failure;
      return await shared.files.receive(request);
    },
    bodyLimit: options.settings['http.bodyLimitKb'] * 1024,
    report,
  });
  const apiKey = await apiKeyOf(store.settings);
  const server = await createServer({
    ...(options.host === undefined ? {} : { host: options.host }),
    port: { asked: options.port, remembered: rememberedPort(store.settings) },
    apiKey,
    endpoint: (request, response, refuse) => {
      const isFile = request.url?.startsWith(`${endpointPrefix}${filePrefix}`) === true;
      return isFile
        ? serveFile((id) => shared.files.get(id), request, response)
        : endpoint(request, response, refuse);
    },
    api,
    upgrade: (request, socket, head) => rpc.upgrade(request, socket, head),
    warn: (message) => log('warn', message),
    report,
  });
  closing.push(() => server.close());
  address.listensAt(server.url);
  return { rpc, api, server, apiKey };
}

async function apiKeyOf(settings: SettingsTable): Promise<string> {
  const apiKey = settings.get('apiKey') ?? randomBytes(24).toString('base64url');
  await settings.set('apiKey', apiKey);
  return apiKey;
}

function rememberedPort(settings: SettingsTable): number | undefined {
  const port = Number(settings.get('port'));
  return Number.isInteger(port) && port > 0 ? port : undefined;
}
