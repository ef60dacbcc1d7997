import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { type AtEnd, atEndOfTest } from './at-end.ts';

/** `up` is what clients send, `down` what the server answers. */
export type Way = 'up' | 'down';

/** The network between two programs, which a test can disturb. */
export interface TcpProxy {
  readonly port: number;
  /** Ends all connections at this moment; new ones are refused until `mend`. */
  cut(): void;
  /** A hole: nothing of this way arrives until `mend`, and nobody is told. What was sent arrives then. */
  hold(...ways: readonly Way[]): void;
  /** The connections of this moment are dead for good, as behind a firewall that forgot them: nobody is told, and new ones work. */
  silence(): void;
  /** Everything arrives so many ms later, until `mend`. */
  delay(ms: number): void;
  /** As if nothing had been. */
  mend(): void;
  close(): Promise<void>;
}

/**
 * On a free port of this machine, to another one, which is asked for with each connection.
 * @param instead bytes that clients send, and what arrives in their place, as long
 */
export async function tcpProxy(
  to: () => number,
  atEnd: AtEnd = atEndOfTest,
  instead: readonly (readonly [from: string, to: string])[] = [],
): Promise<TcpProxy> {
  for (const [one, other] of instead) {
    if (one.length !== other.length) throw new Error(`"${other}" is not as long as "${one}".`);
  }
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const held = new Set<Way>();
  const onMend = new Set<() => void>();
  let isCut = false;
  let delayMs = 0;

  const replaced = (data: Buffer): Buffer => {
    for (const [from, by] of instead) {
      for (let at = data.indexOf(from); at !== -1; at = data.indexOf(from, at)) data.write(by, at);
    }
    return data;
  };
  const join = (way: Way, from: Socket, into: Socket): void => {
    // In order, whatever is changed meanwhile.
    let last: Promise<void> = Promise.resolve();
    const passed = async (data: Buffer): Promise<void> => {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      while (held.has(way)) {
        await new Promise<void>((resolve) => {
          onMend.add(resolve);
        });
      }
      if (!into.destroyed && !silent.has(from)) into.write(data);
    };
    from.on('data', (data: Buffer) => {
      const sent = way === 'up' ? replaced(data) : data;
      last = last.then(() => passed(sent));
    });
    sockets.add(from);
    from.setNoDelay(true);
    from.on('error', () => undefined);
    from.on('end', () => {
      if (!silent.has(from)) void last.then(() => into.end());
    });
    from.on('close', () => {
      sockets.delete(from);
      // Its other side never hears of that.
      if (!silent.delete(from)) void last.then(() => into.destroy());
    });
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (isCut) return void near.destroy();
    const far = connect({ port: to(), host: '127.0.0.1', allowHalfOpen: true });
    join('up', near, far);
    join('down', far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const mend = (): void => {
    isCut = false;
    delayMs = 0;
    held.clear();
    for (const resolve of onMend) resolve();
    onMend.clear();
  };
  const close = async (): Promise<void> => {
    cut();
    held.clear();
    for (const resolve of onMend) resolve();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  atEnd(close);
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    hold: (...ways) => {
      for (const way of ways) held.add(way);
    },
    silence: () => {
      for (const socket of sockets) silent.add(socket);
    },
    delay: (ms) => void (delayMs = ms),
    mend,
    close,
  };
}
