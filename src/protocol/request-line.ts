import type { Trigger } from './host.ts';

/** What an HTTP request is known by in a list. */
export interface RequestLine {
  readonly method: string;
  /** What follows the endpoint, with a leading slash and without the query. */
  readonly path: string;
}

/** Null for what is no HTTP request, and for one that asked not to be kept (P7.19). */
export function requestLineOf(trigger: Trigger | undefined): RequestLine | null {
  if (trigger?.kind !== 'http' || trigger.noStore === true) return null;
  return { method: trigger.method, path: trigger.path };
}
