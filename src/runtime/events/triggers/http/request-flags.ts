import type { IncomingHttpHeaders } from 'node:http';
import { hopsHeader, hopsOf } from '../../../../protocol/hops.ts';

/** Flags that a caller may set by a header or a query parameter (P7.16 to P7.20). */
export interface RequestFlags {
  /** The body is stored as a file, and the event has its URL. */
  readonly uploadBody: boolean;
  /** The request, and what the run logs, are not kept. */
  readonly noStore: boolean;
  /** The request is recorded, and nothing runs. */
  readonly noTrigger: boolean;
  /** It is the delivery of an event: of the run that it asks for (P19.16). */
  readonly hops?: number;
}

/** Almost every request has none: they share this object. */
export const noFlags: RequestFlags = { uploadBody: false, noStore: false, noTrigger: false };

export function flagsOf(headers: IncomingHttpHeaders, query: string): RequestFlags {
  const parameters = /x-pd-|pipedream_/.test(query) ? new URLSearchParams(query) : undefined;
  const isSet = (name: string, parameter = name) =>
    headers[name] === '1' || parameters?.get(parameter) === '1';
  const uploadBody = isSet('x-pd-upload-body', 'pipedream_upload_body');
  const noStore = isSet('x-pd-nostore');
  const noTrigger = isSet('x-pd-notrigger');
  const hops = hopsOf(headers[hopsHeader]);
  if (hops !== undefined) return { uploadBody, noStore, noTrigger, hops };
  return uploadBody || noStore || noTrigger ? { uploadBody, noStore, noTrigger } : noFlags;
}
