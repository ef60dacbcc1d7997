/**
 * Takes the interim answers out of what a target sends: `100 Continue`, `103 Early Hints` and any other
 * 1xx only say that the answer itself is still to come (RFC 9110 §15.2). Undici takes a 100 that it did
 * not ask for as the end of the connection, though some servers send one before every answer.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Longer heads are left to undici, which refuses them. */
const longestHead = 16 * 1024;

const interim = /^HTTP\/1\.[01] 1\d\d[ \r]/;
/** Length of what `interim` looks at. */
const startLength = 13;
const headEnd = '\r\n\r\n';

/** @param open undici's own, which opens the connections. */
export function withoutInterimAnswers(open: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    open(options, (...result) => {
      if (result[0] === null) passOverInterim(result[1]);
      callback(...result);
    });
}

/** @param socket whose exchanges go one by one */
function passOverInterim(socket: Socket): void {
  const push = socket.push.bind(socket);
  /** How much had been sent when the last answer began: what is written after it asks for the next. */
  let answeredTo = 0;
  /** The beginning of what may be an interim answer. */
  let held: Buffer | undefined;
  socket.push = (chunk: Buffer | null, encoding) => {
    // Also counts what still waits to be written.
    const sent = socket.bytesWritten;
    if (chunk === null) {
      if (held !== undefined) push(held);
      return push(null);
    }
    if (sent === answeredTo) return push(chunk, encoding);
    let rest = held === undefined ? chunk : Buffer.concat([held, chunk]);
    held = undefined;
    for (let end = endOfInterim(rest); end > 0; end = endOfInterim(rest)) rest = rest.subarray(end);
    if (mayBeInterim(rest)) {
      held = rest;
      return true;
    }
    answeredTo = sent;
    return push(rest, encoding);
  };
}

/** 0 when it is no interim answer, or not all of one. */
function endOfInterim(bytes: Buffer): number {
  if (!interim.test(bytes.toString('latin1', 0, startLength))) return 0;
  const end = bytes.indexOf(headEnd);
  return end === -1 ? 0 : end + headEnd.length;
}

/** True also for an answer that is incomplete, or too short to decide. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, startLength);
  if (start.length < startLength) return 'HTTP/1.'.startsWith(start.slice(0, 7));
  return interim.test(start) && bytes.length < longestHead;
}
