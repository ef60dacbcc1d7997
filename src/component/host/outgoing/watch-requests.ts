import type { Invocation } from '../output/invocation.ts';
import { RequestRecord, type RequestStart } from './request-record.ts';
import { watchFetch } from './watch-fetch.ts';
import { watchHttp } from './watch-http.ts';

/** Requests of one run that are kept. */
const mostRequests = 500;

/**
 * From now on each run is told of the HTTP requests that its code makes. Nothing that the code sees is replaced, and of a
 * process that makes none, nothing is loaded.
 * @param current the run that the asking code belongs to
 */
export function watchRequests(current: () => Invocation): void {
  const now = Date.now.bind(Date);
  const begin = (start: RequestStart): RequestRecord | undefined => {
    const invocation = current();
    // The background's requests are nobody's.
    if (invocation.n === 0 || invocation.requests.length >= mostRequests) return undefined;
    const record = new RequestRecord(start, invocation.requestBudget, now);
    invocation.requests.push(record);
    return record;
  };
  watchFetch(begin);
  watchHttp(begin);
}
