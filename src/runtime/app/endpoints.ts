/** All below `/h/`: the endpoints of sources and workflows, files, public streams and the answers to paused steps. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveFile } from '../server/files/serve-file.ts';
import { filePrefix, type SharedFiles } from '../server/files/shared-files.ts';
import type { AnyExecutions } from '../api/operations/executions.ts';
import { endpointPrefix } from '../server/incoming-request.ts';
import type { Refuse } from '../server/lingering.ts';
import { createEventEndpoints, type EventEndpointsOptions } from './event-endpoints.ts';
import { createResumeHandler, resumePrefix } from '../events/triggers/http/resume.ts';
import { parseTarget } from '../events/triggers/http/route.ts';
import { type ExecutionKeys, streamPrefix } from '../workflows/executions/keys.ts';

type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
) => void | Promise<void>;

export interface EndpointsOptions extends EventEndpointsOptions {
  readonly files: SharedFiles;
  readonly executions: Pick<AnyExecutions, 'hit'>;
  readonly executionKeys: ExecutionKeys;
  readonly publicStream: Handle;
}

export interface Endpoints {
  readonly handle: Handle;
  /** The source or workflow behind a URL; undefined if it belongs to none, or to several. */
  emitterOf(url: string): string | undefined;
}

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { executions, executionKeys, files, visitorOf, report, publicStream } = options;
  const endpoints = createEventEndpoints(options);
  const resume = createResumeHandler({
    hit: async (token, action, trigger) => {
      const paused = executionKeys.readResumeToken(token);
      return paused === undefined ? 'unknown' : executions.hit(paused, action, trigger);
    },
    ...endpoints.body,
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
        : endpoints.handle(request, response, refuse);
    },
    // That of an account is of several sources.
    emitterOf: (url) => endpoints.endpoint(parseTarget(url).id)?.emitterId || undefined,
  };
}
