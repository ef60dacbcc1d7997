import type { Trigger } from './host.ts';

/** The parts of an HTTP request that a list shows. */
export interface RequestLine {
  readonly method: string;
  /** The path after the endpoint, with a leading slash and without the query. */
  readonly path: string;
}

/** Null for what is no HTTP request, and for one that asked not to be kept (P7.19). */
export function requestLineOf(trigger: Trigger | undefined): RequestLine | null {
  if (trigger?.kind !== 'http' || trigger.noStore === true) return null;
  return { method: trigger.method, path: trigger.path };
}
