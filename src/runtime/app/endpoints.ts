/** All below `/h/`: the endpoints of sources and workflows, files, public streams and the answers to paused steps. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WeirError } from '../../protocol/errors.ts';
import { loopText } from '../../protocol/hops.ts';
import { kindOf } from '../../protocol/ids.ts';
import type { AppHooks } from '../sources/apphooks/app-hooks.ts';
import type { Clock } from '../base/clock.ts';
import { serveFile } from '../server/files/serve-file.ts';
import { filePrefix, type SharedFiles } from '../server/files/shared-files.ts';
import type { Instances } from '../sources/instances.ts';
import type { AnyExecutions } from '../api/operations/executions.ts';
import { endpointPrefix } from '../server/incoming-request.ts';
import type { Refuse } from '../server/lingering.ts';
import { createRateLimit } from '../server/rate-limit.ts';
import type { VisitorOf } from '../server/visitor.ts';
import type { Settings } from '../base/settings.ts';
import type { Store } from '../store/store.ts';
import { createEndpointHandler } from '../events/triggers/http/handler.ts';
import { createResumeHandler, resumePrefix } from '../events/triggers/http/resume.ts';
import { type Endpoint, parseTarget } from '../events/triggers/http/route.ts';
import { type ExecutionKeys, streamPrefix } from '../workflows/executions/keys.ts';
import type { WorkflowInstances } from '../workflows/lifecycle/instances.ts';
import type { AcceptHere } from './accept-here.ts';
import { createAcceptance } from './acceptance.ts';
import type { Sharing } from './sharing.ts';

type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
) => void | Promise<void>;

export interface EndpointsOptions {
  readonly store: Store;
  /** What other nodes run; undefined where this runtime runs everything. */
  readonly elsewhere: Pick<Sharing, 'endpoint' | 'passingOn' | 'handOver'> | undefined;
  readonly instances: Instances;
  readonly workflowInstances: WorkflowInstances;
  readonly appHooks: AppHooks;
  readonly here: AcceptHere;
  readonly executions: Pick<AnyExecutions, 'hit'>;
  readonly executionKeys: ExecutionKeys;
  readonly files: SharedFiles;
  readonly publicStream: Handle;
  readonly settings: Settings;
  /** Undefined: as the headers say, which only a tunnel on this machine can have written. */
  readonly visitorOf: VisitorOf | undefined;
  readonly clock: Clock;
  /** A delivery of a ring came back to a source. */
  readonly warnOfLoop: (sourceId: string, text: string) => void;
  /** Logs an error that nobody waits for. */
  readonly report: (where: string, error: unknown) => void;
}

export interface Endpoints {
  readonly handle: Handle;
  /** The source or workflow behind a URL; undefined where it is none's, or of several. */
  emitterOf(url: string): string | undefined;
}

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { store, elsewhere, executions, executionKeys, files, settings } = options;
  const { visitorOf, clock, report, publicStream } = options;
  const limit = createRateLimit(settings['limits.endpointPerSecond'], () => clock.elapsed());
  const bodyLimit = settings['http.bodyLimitKb'] * 1024;
  const uploadLimit = settings['http.uploadLimitMb'] * 1024 * 1024;
  const endpointOf = (id: string): Endpoint | undefined =>
    options.instances.endpoint(id) ??
    options.workflowInstances.endpoint(id) ??
    options.appHooks.endpoint(id) ??
    elsewhere?.endpoint(id);

  const acceptance = createAcceptance({ store, clock, here: options.here, elsewhere });
  const endpoint = createEndpointHandler({
    endpoint: endpointOf,
    limit: (request, id) =>
      visitorOf === undefined || visitorOf(request).isLocal ? 0 : limit.take(id),
    accept: (...taken) => acceptance.accept(...taken),
    record: (id, trigger) => acceptance.record(id, trigger),
    upload: async (request) => {
      if (store.failure !== undefined) throw store.failure;
      return files.receive(request, uploadLimit);
    },
    bodyLimit,
    uploadLimit,
    visitorOf,
    tooLarge: (sourceId, trigger) => {
      // A source has no row for what it never saw.
      if (kindOf(sourceId) !== 'workflow') return;
      acceptance.record(sourceId, trigger, 'body too large').durable.catch((error: unknown) => {
        if (!WeirError.is(error, 'store_failed')) report(`${sourceId}: not recorded`, error);
      });
    },
    loopDetected: (sourceId) => options.warnOfLoop(sourceId, loopText),
    report,
  });
  const resume = createResumeHandler({
    hit: async (token, action, trigger) => {
      const paused = executionKeys.readResumeToken(token);
      return paused === undefined ? 'unknown' : executions.hit(paused, action, trigger);
    },
    bodyLimit,
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
    emitterOf: (url) => endpointOf(parseTarget(url).id)?.sourceId || undefined,
  };
}
