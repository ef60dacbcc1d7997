/** The endpoints of sources and workflows, the same at every node. */
import { loopText } from '../../protocol/hops.ts';
import { warnInLog } from '../events/emitter-log.ts';
import type { Intake } from '../events/intake.ts';
import type { Services } from '../events/services.ts';
import { createEndpointHandler, type EndpointHandler } from '../events/triggers/http/handler.ts';
import type { BodyOptions } from '../events/triggers/http/receive.ts';
import type { Endpoint } from '../events/triggers/http/route.ts';
import { recordTooLarge } from '../events/triggers/http/too-large.ts';
import type { SharedFiles } from '../server/files/shared-files.ts';
import { createRateLimit } from '../server/rate-limit.ts';
import type { VisitorOf } from '../server/visitor.ts';

/** A table of endpoints: the kinds of emitters, app hooks, the configuration of other nodes' sources. */
export interface EndpointTable {
  endpoint(id: string): Endpoint | undefined;
}

export interface EventEndpointsOptions extends Services {
  /** The first that knows an endpoint has it. */
  readonly tables: readonly EndpointTable[];
  readonly intake: Intake;
  /** Undefined: as the headers say, which only a tunnel on this machine can have written. */
  readonly visitorOf: VisitorOf | undefined;
  /** Keeps bodies as files; undefined at a node that has none. */
  readonly files?: SharedFiles;
}

export interface EventEndpoints extends EndpointTable {
  readonly handle: EndpointHandler;
  /** How bodies are received, at all endpoints alike. */
  readonly body: BodyOptions;
}

export function createEventEndpoints(options: EventEndpointsOptions): EventEndpoints {
  const { tables, intake, visitorOf, files, store, settings, clock, report } = options;
  const limit = createRateLimit(settings['limits.endpointPerSecond'], () => clock.elapsed());
  const uploadLimit = settings['http.uploadLimitMb'] * 1024 * 1024;
  const endpoint = (id: string): Endpoint | undefined => {
    for (const table of tables) {
      const found = table.endpoint(id);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const body: BodyOptions = {
    upload: async (request) => {
      if (store.failure !== undefined) throw store.failure;
      return files?.receive(request, uploadLimit);
    },
    bodyLimit: settings['http.bodyLimitKb'] * 1024,
    uploadLimit,
  };
  const handle = createEndpointHandler({
    endpoint,
    limit: (request, id) =>
      visitorOf === undefined || visitorOf(request).isLocal ? 0 : limit.take(id),
    intake,
    ...body,
    visitorOf,
    tooLarge: recordTooLarge(options),
    loopDetected: (emitterId) => warnInLog(options, emitterId, loopText),
    report,
  });
  return { endpoint, handle, body };
}
