/** The one listener that everybody comes in by, and what answers there. */
import type { WeirError } from '../../protocol/errors.ts';
import { isForMcp } from '../api/mcp.ts';
import type { Services } from '../events/services.ts';
import type { Keys } from '../server/access/keys.ts';
import { openCertificate } from '../server/certificate.ts';
import type { Health } from '../server/health.ts';
import type { ListenOptions } from '../server/listen-options.ts';
import { localPort, portsInFolder, portsInSettings } from '../server/remembered-ports.ts';
import { createServer } from '../server/server.ts';
import { createEndpoints } from './endpoints.ts';
import type { LeaderRole } from './leader-role.ts';
import type { OpenedAccounts } from './open-accounts.ts';
import type { OpenedApi } from './open-api.ts';
import type { OpenedCode } from './open-code.ts';
import type { OpenedLifecycles } from './open-lifecycles.ts';
import { stopGraceMs } from './running.ts';
import type { RuntimeOptions } from './runtime-options.ts';

export interface OpenServerOptions extends Services {
  readonly runtime: RuntimeOptions;
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly reach: ListenOptions;
  readonly keys: Keys;
  readonly apiKey: string;
  readonly api: OpenedApi;
  readonly accountParts: Pick<OpenedAccounts, 'signer'>;
  readonly codeParts: Pick<OpenedCode, 'files'>;
  readonly lifecycles: Pick<OpenedLifecycles, 'appHooks'>;
  /** Undefined where this runtime runs everything. */
  readonly leading: LeaderRole | undefined;
  readonly health: Health;
  /** See `ServerOptions`. */
  readonly ending: () => WeirError | undefined;
}

/** No request has arrived in the turn of the loop in which it resolves. Registers its own cleanup with `closing`. */
export async function openServer(options: OpenServerOptions) {
  const { store, kinds, clock, log, closing, report, data } = options;
  const { runtime, reach, api, keys, leading, codeParts, accountParts } = options;
  const { node, port } = runtime;
  const { rpc, agents, metrics, keyLimit } = api;
  const visitorOf = reach.isOpen ? reach.visitorOf : undefined;
  const endpoints = createEndpoints({
    ...options,
    tables: [
      kinds,
      options.lifecycles.appHooks,
      ...(leading === undefined ? [] : [leading.sharing]),
    ],
    intake: api.intake,
    executions: api.executions,
    executionKeys: api.executionKeys,
    files: codeParts.files,
    publicStream: (request, response, refuse) => api.api.publicStream(request, response, refuse),
    visitorOf,
  });
  const ports = node === undefined ? portsInSettings(store.settings) : await portsInFolder(data);
  await node?.beforeListening();
  const { outside } = reach;
  const certificate =
    outside?.tls === undefined
      ? undefined
      : await openCertificate({ files: outside.tls, clock, log });
  closing.push(() => certificate?.close());
  const server = await createServer({
    ...(reach.localHost === undefined ? {} : { host: reach.localHost }),
    port: localPort(ports, port, outside !== undefined),
    outside: outside && {
      ...outside,
      port: { asked: port, remembered: ports.get('outsidePort') },
      certificate,
    },
    names: reach.names,
    visitorOf: reach.visitorOf,
    apiKey: options.apiKey,
    callerOf: (key) => keys.callerOf(key),
    endpoint: (request, response, refuse) => endpoints.handle(request, response, refuse),
    api: (request, response, refuse, caller) =>
      isForMcp(request.url ?? '/')
        ? agents.handle(request, response, refuse, caller)
        : api.api(request, response, refuse, caller),
    signer: (request, response) => accountParts.signer.answer(request, response),
    upgrade: (request, socket, head, caller, visitor) =>
      rpc.upgrade(request, socket, head, caller, visitor),
    clock,
    keyLimit,
    get onRequested() {
      return metrics.onRequested;
    },
    emitterOf: (url) => endpoints.emitterOf(url),
    health: options.health,
    ending: options.ending,
    warn: (message) => log('warn', message),
    report,
  });
  // The runs here have ended by then; callers keep waiting for other nodes.
  closing.push(() => server.close(node && stopGraceMs));
  return { server, ports };
}
