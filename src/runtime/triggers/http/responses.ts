/** Every answer of an endpoint. */
import type { ServerResponse } from 'node:http';
import type { Refuse } from '../../server/lingering.ts';

const textType = { 'content-type': 'text/plain; charset=utf-8' };
const htmlType = { 'content-type': 'text/html; charset=utf-8' };
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
  'access-control-allow-headers': '*',
};
const successPage =
  '<p><b>Success!</b></p><p>The event was received. See it in Weir, in the Events view or with <code>weir events</code>.</p>\n';

/** Does nothing when an answer has gone out already, or the caller has gone. */
export function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): void {
  if (response.headersSent || response.destroyed) return;
  // An informational status cannot end a response; node would leave the caller waiting.
  response.writeHead(status < 200 ? 200 : status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** What a browser asks before it lets a page of another origin send its request. */
export function sendPreflight(response: ServerResponse): void {
  send(response, 200, corsHeaders, '');
}

export function sendSuccess(response: ServerResponse): void {
  send(response, 200, htmlType, successPage);
}

export function sendNotFound(response: ServerResponse): void {
  send(response, 404, textType, 'There is no active source at this address.\n');
}

export function sendNoRespond(response: ServerResponse): void {
  send(response, 400, textType, 'No respond() was called by the source.\n');
}

export function sendNotStored(response: ServerResponse): void {
  send(response, 503, textType, 'The event could not be stored.\n');
}

export function sendInternal(response: ServerResponse): void {
  send(response, 500, textType, "Something went wrong; the runtime's log says what.\n");
}

/** The rest of the body is still coming: `refuse` reads it. */
export function refuseNotUploaded(response: ServerResponse, refuse: Refuse): void {
  refuse(response, 503, textType, 'The body could not be stored.\n');
}

/** The rest of the body is still coming: `refuse` reads it. @param uploadLimit in bytes */
export function refuseUploadTooLarge(
  response: ServerResponse,
  refuse: Refuse,
  uploadLimit: number,
): void {
  const limit = `${Math.floor(uploadLimit / 1024 / 1024)} MB`;
  const text = `The body is larger than ${limit}, the most that is taken (setting http.uploadLimitMb).\n`;
  refuse(response, 413, textType, text);
}

/** The rest of the body is still coming: `refuse` reads it. @param bodyLimit in bytes */
export function refuseTooLarge(response: ServerResponse, refuse: Refuse, bodyLimit: number): void {
  const limit = `${Math.floor(bodyLimit / 1024)} KB`;
  refuse(
    response,
    413,
    textType,
    `The body is larger than ${limit}. Send the header "x-pd-upload-body: 1" to pass its URL on instead.\n`,
  );
}
