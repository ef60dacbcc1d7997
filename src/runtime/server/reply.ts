/** The error reply of every HTTP face: `{"error","code","details"?}`, never a stack of ours or a secret. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { errorStatus, type ErrorData, WeirError } from '../../protocol/errors.ts';

export interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly details?: ErrorData['details'];
  /** Output of a failed component, under the platform's name (P17.16). */
  readonly observations?: ErrorData['details'];
}

export function errorBody(error: WeirError): ErrorBody {
  const { code, message, details } = error;
  return {
    error: message,
    code,
    ...(details === undefined ? {} : { details }),
    ...(code === 'component_failed' && { observations: details ?? [] }),
  };
}

/** The form of any thrown value that a caller may see. */
export function presentable(thrown: unknown): WeirError {
  if (WeirError.is(thrown)) return thrown;
  return new WeirError(
    'internal',
    "Something failed inside Weir; the runtime's log has the details.",
  );
}

export const jsonType = { 'content-type': 'application/json; charset=utf-8' };

/** Answers with JSON, unless the answer has begun: then the caller only sees that it breaks off. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const json = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, {
      ...jsonType,
      'content-length': json.length,
      ...headers,
    })
    .end(json);
}

export function sendError(response: ServerResponse, error: WeirError): void {
  sendJson(response, errorStatus[error.code], errorBody(error), headersOf(error));
}

function headersOf({ code, details }: WeirError): Record<string, string> {
  if (code === 'unauthorized') return { 'www-authenticate': 'Bearer' };
  const wait = details?.[0]?.['retry_after'];
  return code === 'rate_limited' && typeof wait === 'number' ? { 'retry-after': `${wait}` } : {};
}

/** @param ms until there is room again */
export function tooManyRequests(who: string, ms: number): WeirError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `${who} asks too often; try again in ${seconds} s.`;
  return new WeirError('rate_limited', message, [{ message, retry_after: seconds }]);
}

/** The same before a WebSocket handshake, when there is no response object. */
export function refuseUpgrade(socket: Duplex, error: WeirError): void {
  const status = errorStatus[error.code];
  const body = JSON.stringify(errorBody(error));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
