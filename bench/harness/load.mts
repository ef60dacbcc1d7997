/**
 * The load generator: `load.mts CONNECTIONS URL…`, which takes the addresses in turn. Says `{ready}`; asked for a phase, it keeps every
 * connection busy for so long, and answers `{failed}` when any request was not answered with 200.
 * Each connection sends its next request when the last one was answered.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { payload, payloadId } from './payload.mts';
import { ResponseReader } from './response-reader.mts';

export interface PhaseRequest {
  readonly seconds: number;
}

export interface Phase {
  /** Requests sent and answered with 200. */
  readonly operations: number;
  /** From the first request sent to the last answer. */
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers per connection since the generator started; see `payloadId` for the ids they stand for. */
  readonly acknowledged: readonly number[];
}

interface Connection {
  readonly index: number;
  readonly socket: Socket;
  readonly reader: ResponseReader;
  readonly request: Buffer;
  readonly idAt: number;
  /** Requests answered with 200 so far, over all phases: the ids 0 to answered - 1. */
  answered: number;
  sentAt: bigint;
}

const [count = '1', ...targets] = process.argv.slice(2);
const urls = targets.map((target) => new URL(target));
const latency = createHistogram();
let until = 0n;
let busy = 0;
let phaseDone: (() => void) | undefined;
let phaseFailed: ((error: Error) => void) | undefined;

const connections = await Promise.all(
  Array.from({ length: Number(count) }, (_, index) => open(index)),
);
process.on('message', (message: PhaseRequest) => {
  runPhase(message.seconds).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
process.send?.({ ready: true });

async function open(index: number): Promise<Connection> {
  const url = urls[index % urls.length];
  if (url === undefined) throw new Error('load.mts takes a number of connections and addresses.');
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  await once(socket, 'connect');
  const id = payloadId(index, 0);
  const body = payload(id);
  const head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const request = Buffer.from(head + body, 'latin1');
  const connection: Connection = {
    index,
    socket,
    reader: new ResponseReader(),
    request,
    idAt: request.indexOf(id),
    answered: 0,
    sentAt: 0n,
  };
  socket.on('data', (chunk) => onData(connection, chunk));
  socket.on('error', (error) => phaseFailed?.(error));
  socket.on('close', () => phaseFailed?.(new Error('The peer closed a connection.')));
  return connection;
}

async function runPhase(seconds: number): Promise<Phase> {
  latency.reset();
  const before = connections.map((connection) => connection.answered);
  const startedAt = process.hrtime.bigint();
  until = startedAt + BigInt(Math.round(seconds * 1e9));
  busy = connections.length;
  await new Promise<void>((resolve, reject) => {
    phaseDone = resolve;
    phaseFailed = reject;
    for (const connection of connections) send(connection);
  });
  const acknowledged = connections.map((connection) => connection.answered);
  const operations = acknowledged.reduce((sum, n, index) => sum + n - (before[index] ?? 0), 0);
  return {
    operations,
    seconds: Number(process.hrtime.bigint() - startedAt) / 1e9,
    p50Ms: latency.percentile(50) / 1e6,
    p99Ms: latency.percentile(99) / 1e6,
    acknowledged,
  };
}

function send(connection: Connection): void {
  // The bytes of the last request have left: it was answered.
  connection.request.write(payloadId(connection.index, connection.answered), connection.idAt);
  connection.sentAt = process.hrtime.bigint();
  connection.socket.write(connection.request);
}

function onData(connection: Connection, chunk: Buffer): void {
  const status = connection.reader.push(chunk);
  if (status === undefined) return;
  if (status !== 200) {
    phaseFailed?.(new Error(`A request was answered with ${status}.`));
    return;
  }
  const now = process.hrtime.bigint();
  latency.record(now - connection.sentAt);
  connection.answered += 1;
  if (now < until) send(connection);
  else if (--busy === 0) phaseDone?.();
}
