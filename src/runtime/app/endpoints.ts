/** All below `/h/`: the endpoints of sources and workflows, files, public streams and the answers to paused steps. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loopText } from '../../protocol/hops.ts';
import type { AppHooks } from '../sources/apphooks/app-hooks.ts';
import { serveFile } from '../server/files/serve-file.ts';
import { filePrefix, type SharedFiles } from '../server/files/shared-files.ts';
import type { AnyExecutions } from '../api/operations/executions.ts';
import { endpointPrefix } from '../server/incoming-request.ts';
import type { Refuse } from '../server/lingering.ts';
import { createRateLimit } from '../server/rate-limit.ts';
import type { VisitorOf } from '../server/visitor.ts';
import type { Intake } from '../events/intake.ts';
import { createEndpointHandler } from '../events/triggers/http/handler.ts';
import { createResumeHandler, resumePrefix } from '../events/triggers/http/resume.ts';
import { recordTooLarge } from '../events/triggers/http/too-large.ts';
import { type Endpoint, parseTarget } from '../events/triggers/http/route.ts';
import { type ExecutionKeys, streamPrefix } from '../workflows/executions/keys.ts';
import type { Sharing } from './sharing.ts';
import type { Services } from '../events/services.ts';

type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
) => void | Promise<void>;

export interface EndpointsOptions extends Pick<
  Services,
  'store' | 'kinds' | 'settings' | 'clock' | 'report'
> {
  /** What other nodes run; undefined where this runtime runs everything. */
  readonly elsewhere: Pick<Sharing, 'endpoint'> | undefined;
  readonly appHooks: AppHooks;
  readonly intake: Intake;
  readonly executions: Pick<AnyExecutions, 'hit'>;
  readonly executionKeys: ExecutionKeys;
  readonly files: SharedFiles;
  readonly publicStream: Handle;
  /** Undefined: as the headers say, which only a tunnel on this machine can have written. */
  readonly visitorOf: VisitorOf | undefined;
  /** A delivery of a ring came back to a source. */
  readonly warnOfLoop: (emitterId: string, text: string) => void;
}

export interface Endpoints {
  readonly handle: Handle;
  /** The source or workflow behind a URL; undefined where it is none's, or of several. */
  emitterOf(url: string): string | undefined;
}

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { store, elsewhere, intake, executions, executionKeys, files, settings } = options;
  const { visitorOf, clock, report, publicStream } = options;
  const limit = createRateLimit(settings['limits.endpointPerSecond'], () => clock.elapsed());
  const bodyLimit = settings['http.bodyLimitKb'] * 1024;
  const uploadLimit = settings['http.uploadLimitMb'] * 1024 * 1024;
  const endpointOf = (id: string): Endpoint | undefined =>
    options.kinds.endpoint(id) ?? options.appHooks.endpoint(id) ?? elsewhere?.endpoint(id);

  const body = {
    upload: async (request: IncomingMessage) => {
      if (store.failure !== undefined) throw store.failure;
      return files.receive(request, uploadLimit);
    },
    bodyLimit,
    uploadLimit,
  };
  const endpoint = createEndpointHandler({
    endpoint: endpointOf,
    limit: (request, id) =>
      visitorOf === undefined || visitorOf(request).isLocal ? 0 : limit.take(id),
    intake,
    ...body,
    visitorOf,
    tooLarge: recordTooLarge(options),
    loopDetected: (emitterId) => options.warnOfLoop(emitterId, loopText),
    report,
  });
  const resume = createResumeHandler({
    hit: async (token, action, trigger) => {
      const paused = executionKeys.readResumeToken(token);
      return paused === undefined ? 'unknown' : executions.hit(paused, action, trigger);
    },
    ...body,
    visitorOf,
    report,
  });
  return {
    handle: (request, response, refuse) => {
      const isFor = (prefix: string): boolean =>
        request.url?.startsWith(`${endpointPrefix}${prefix}`) === true;
      if (isFor(streamPrefix)) return publicStream(request, response, refuse);
      if (isFor(resumePrefix)) return resume(request, response, refuse);
      return isFor(filePrefix)
        ? serveFile((id) => files.get(id), request, response)
        : endpoint(request, response, refuse);
    },
    // That of an account is of several sources.
    emitterOf: (url) => endpointOf(parseTarget(url).id)?.emitterId || undefined,
  };
}
