/** The REST routes of the catalogue, as a flat list. */
import type { OperationName } from '../../protocol/catalogue.ts';
import { catalogue } from '../../protocol/schemas/catalogue.ts';
import type { Route } from '../../protocol/schemas/operation.ts';

export interface OperationRoute extends Route {
  readonly name: OperationName;
  readonly summary: string;
  /** The documented one; the others are the platform's twins. */
  readonly main: boolean;
}

export function allRoutes(): OperationRoute[] {
  return Object.entries(catalogue).flatMap(([name, { rest = [], summary }]) =>
    rest.map((route, index) => ({
      ...route,
      name: name as OperationName,
      summary,
      main: index === 0,
    })),
  );
}

/** The event streams: no operations, as they do not end with one answer. */
export const streamPaths = {
  '/v1/sources/{id}/sse': 'events',
  '/v1/sources/{id}/logs/sse': 'logs',
} as const;

/** The same for workflows; the platform documents its streams without the version (P20.8). */
export const otherStreamPaths = {
  '/v1/workflows/{id}/sse': 'events',
  '/v1/workflows/{id}/logs/sse': 'logs',
  '/sources/{id}/sse': 'events',
  '/sources/{id}/logs/sse': 'logs',
  '/workflows/{id}/sse': 'events',
  '/workflows/{id}/logs/sse': 'logs',
} as const;
