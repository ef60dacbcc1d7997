import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { type AtEnd, atEndOfTest } from './at-end.ts';

/** A connection between two programs that a test can cut. */
export interface TcpProxy {
  readonly port: number;
  /** Ends all connections at this moment; new ones are refused until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** On a free port of this machine, to another one. */
export async function tcpProxy(to: number, atEnd: AtEnd = atEndOfTest): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const close = (): Promise<void> => {
    cut();
    return new Promise((resolve) => void server.close(() => resolve()));
  };
  atEnd(close);
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => void (isCut = false),
    close,
  };
}
