/** Every answer of an endpoint. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hopsHeader, loopDetected, loopText, mostHops } from '../../../../protocol/hops.ts';
import type { HostResponse, ResponseHeaders } from '../../../../protocol/host.ts';
import { invocationHeader } from '../../../../protocol/invocation-header.ts';
import type { Refuse } from '../../../server/lingering.ts';

const textType = { 'content-type': 'text/plain; charset=utf-8' };
const htmlType = { 'content-type': 'text/html; charset=utf-8' };
/** Pages of every origin may read every answer: an endpoint has no cookies, and its address is what protects it. */
const corsHeaders = { 'access-control-allow-origin': '*' };
const successPage =
  '<p><b>Success!</b></p><p>The event was received. See it in Weir, in the Events view or with <code>weir events</code>.</p>\n';

/** Does nothing if an answer was sent already, or the caller has disconnected. */
export function send(
  response: ServerResponse,
  status: number,
  headers: ResponseHeaders,
  body: string | Uint8Array,
): void {
  if (response.headersSent || response.destroyed) return;
  // A 204 has neither a body nor the length of one (RFC 9110 §8.6).
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
  // An informational status cannot end a response; node would leave the caller waiting.
  response.writeHead(status < 200 ? 200 : status, { ...withCors(headers), ...length });
  response.end(body);
}

/** Headers that the component sets itself have priority. */
function withCors(headers: ResponseHeaders): ResponseHeaders {
  const isSaid = Object.keys(headers).some(
    (name) => name.toLowerCase() === 'access-control-allow-origin',
  );
  return isSaid ? headers : { ...corsHeaders, ...headers };
}

/**
 * The same for what a component gave to `respond()`. The headers that frame the answer on this connection
 * are not for it to set (P7.41): a wrong length or a second framing leaves the caller waiting, or Node throws.
 * Nor is the name of its run (P7.50).
 */
export function sendGiven(
  response: ServerResponse,
  run: string,
  { status, headers, body }: HostResponse,
): void {
  const kept = Object.entries(headers).filter(([name]) => !notItsOwn.has(name.toLowerCase()));
  send(response, status, { ...Object.fromEntries(kept), ...ofRun(run) }, body);
}

/** Headers of one connection (RFC 9110 §7.6.1), the length, and the run. */
const notItsOwn: ReadonlySet<string> = new Set([
  invocationHeader,
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Names the run of a request that was accepted. @param run its id */
function ofRun(run: string): Record<string, string> {
  return { [invocationHeader]: run };
}

/** Answers the request that a browser sends before a page of another origin may send its own. */
export function sendPreflight(response: ServerResponse, { headers }: IncomingMessage): void {
  const asked = headers['access-control-request-headers'];
  const preflight = {
    'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
    // A star leaves out `authorization`, which has to be named (Fetch §3.3.2).
    'access-control-allow-headers': asked ?? '*',
  };
  send(response, 200, preflight, '');
}

export function sendSuccess(response: ServerResponse, run: string): void {
  send(response, 200, { ...htmlType, ...ofRun(run) }, successPage);
}

export function sendNotFound(response: ServerResponse): void {
  send(response, 404, textType, 'There is no active source or workflow at this address.\n');
}

/** For a webhook that leads back here: the header distinguishes the answer from the same status of another server. */
export function sendLoopDetected(response: ServerResponse): void {
  send(response, loopDetected, { ...textType, [hopsHeader]: String(mostHops) }, `${loopText}\n`);
}

export function sendNoRespond(response: ServerResponse, run: string): void {
  const headers = { ...textType, ...ofRun(run) };
  send(response, 400, headers, 'No respond() was called by the source.\n');
}

/** The answer of a workflow without a response, in the platform's words (P25.51). */
export function sendUnanswered(
  response: ServerResponse,
  run: string,
  why: 'ended' | 'paused',
): void {
  const text =
    why === 'paused'
      ? '$.respond() not called for this invocation'
      : 'No $.respond called in workflow';
  send(response, 400, { ...textType, ...ofRun(run) }, text);
}

/** The endpoint wants a token that the caller did not send. */
export function sendUnauthorized(response: ServerResponse): void {
  const headers = { ...textType, 'www-authenticate': 'Bearer' };
  send(response, 401, headers, 'Send the token of this trigger: "Authorization: Bearer …".\n');
}

/** A status that callers send their request again for: that the run was cancelled is no fault of theirs. */
export function sendCancelled(response: ServerResponse, run: string): void {
  const headers = { ...textType, ...ofRun(run) };
  send(response, 503, headers, 'The run was cancelled before it answered.\n');
}

const notStored = 'The event could not be stored.\n';
/** Says that nothing was taken in, so that the same may be sent again (P7.59). */
const notTakenIn = { 'retry-after': '1' };

/** It was refused before anything of it was written. */
export function sendRefused(response: ServerResponse): void {
  send(response, 503, { ...textType, ...notTakenIn }, notStored);
}

/** Writing it failed, or the writer was lost: nobody knows whether it is stored (P7.59). */
export function sendNotStored(response: ServerResponse): void {
  send(response, 503, textType, notStored);
}

/** It is stored, and its run is left to the next start: nobody is there to answer then. */
export function sendStopping(response: ServerResponse, run: string): void {
  send(
    response,
    503,
    { ...textType, ...ofRun(run) },
    'The runtime is stopping. The event is kept and runs at its next start.\n',
  );
}

export function sendInternal(response: ServerResponse): void {
  send(response, 500, textType, "Something went wrong; the runtime's log says what.\n");
}

/** The rest of the body is still coming: `refuse` reads it. */
export function refuseNotUploaded(response: ServerResponse, refuse: Refuse): void {
  const headers = { ...textType, ...corsHeaders, ...notTakenIn };
  refuse(response, 503, headers, 'The body could not be stored.\n');
}

/** The rest of the body is still coming: `refuse` reads it. @param uploadLimit in bytes */
export function refuseUploadTooLarge(
  response: ServerResponse,
  refuse: Refuse,
  uploadLimit: number,
): void {
  const limit = `${Math.floor(uploadLimit / 1024 / 1024)} MB`;
  const text = `The body is larger than ${limit}, the most that is taken (setting http.uploadLimitMb).\n`;
  refuse(response, 413, { ...textType, ...corsHeaders }, text);
}

/** The rest of the body is still coming: `refuse` reads it. @param bodyLimit in bytes */
export function refuseTooLarge(response: ServerResponse, refuse: Refuse, bodyLimit: number): void {
  refuse(
    response,
    413,
    { ...textType, ...corsHeaders },
    tooLarge(`is larger than ${kilobytes(bodyLimit)}`),
  );
}

/** @param bodyLimit in bytes */
export function sendTooLargeDecoded(response: ServerResponse, bodyLimit: number): void {
  const text = tooLarge(`is larger than ${kilobytes(bodyLimit)} once it is decoded`);
  send(response, 413, textType, text);
}

export function sendNotDecoded(response: ServerResponse): void {
  const text =
    'The body does not decode as its "content-encoding" header says. Send it as it says, or leave the header out.';
  send(response, 400, textType, `${text}\n`);
}

function tooLarge(problem: string): string {
  return `The body ${problem}. Send the header "x-pd-upload-body: 1" to pass its URL on instead.\n`;
}

function kilobytes(bytes: number): string {
  return `${Math.floor(bytes / 1024)} KB`;
}

/** @param ms until there is room again */
export function sendTooOften(response: ServerResponse, ms: number): void {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const headers = { ...textType, 'retry-after': String(seconds) };
  send(response, 429, headers, `Too many requests: try again in ${seconds} s.\n`);
}
