/** A debugger for the tests: speaks to a process's inspector as any debugger does. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type AtEnd, atEndOfTest } from '../../support/at-end.ts';
import { until } from '../../support/until.ts';

export interface Paused {
  readonly reason: string;
  /** Of an exception. */
  readonly data?: { readonly uncaught?: boolean; readonly description?: string };
  readonly callFrames: readonly {
    readonly callFrameId: string;
    readonly functionName: string;
    readonly location: { readonly lineNumber: number };
    readonly url: string;
  }[];
}

export interface Inspector {
  send(method: string, params?: object): Promise<unknown>;
  /** Attached, with `debugger;` statements in force; lets a process that waits go on. */
  begin(): Promise<void>;
  /** The next stop. */
  paused(): Promise<Paused>;
  evaluate(frame: Paused, expression: string): Promise<unknown>;
  resume(): Promise<void>;
  /** The connection was closed by the process. */
  readonly closed: boolean;
  close(): void;
}

export async function attach(url: string, atEnd: AtEnd = atEndOfTest): Promise<Inspector> {
  const socket = new WebSocket(url);
  const stops: Paused[] = [];
  const answers = new Map<number, (result: unknown) => void>();
  let id = 0;
  let closed = false;
  socket.on('close', () => (closed = true));
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as {
      id?: number;
      method?: string;
      params?: unknown;
      result?: unknown;
    };
    if (message.id !== undefined) answers.get(message.id)?.(message.result);
    if (message.method === 'Debugger.paused') stops.push(message.params as Paused);
  });
  await once(socket, 'open');
  atEnd(() => Promise.resolve(socket.close()));
  const send = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      id += 1;
      answers.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
  return {
    send,
    async begin() {
      await send('Runtime.enable');
      await send('Debugger.enable');
      await send('Runtime.runIfWaitingForDebugger');
    },
    paused: () => until('the debuggee to stop', () => stops.shift()),
    async evaluate(frame, expression) {
      const answer = (await send('Debugger.evaluateOnCallFrame', {
        callFrameId: frame.callFrames[0]?.callFrameId,
        expression,
        returnByValue: true,
      })) as { result: { value: unknown } };
      return answer.result.value;
    },
    async resume() {
      await send('Debugger.resume');
    },
    get closed() {
      return closed;
    },
    close: () => socket.close(),
  };
}
