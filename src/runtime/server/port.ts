/** Which port the runtime listens on: the asked one, else the remembered one, else a free one. */
import type { AddressInfo, Server } from 'node:net';
import { WeirError } from '../../protocol/errors.ts';

export interface PortChoice {
  /** From the user; 0 asks for a free one. Taken: an error. */
  readonly asked?: number | undefined;
  /** From the last start, so that endpoint URLs live on. Taken: a free one, and a warning. */
  readonly remembered?: number | undefined;
}

/** Listens and returns the port. Throws `WeirError('conflict')` when the asked one cannot be had. */
export async function bind(
  server: Server,
  address: string,
  choice: PortChoice,
  warn: (message: string) => void,
): Promise<number> {
  if (choice.asked !== undefined && choice.asked !== 0) {
    try {
      return await listen(server, address, choice.asked);
    } catch (error) {
      throw cannotListen(error, address, choice.asked);
    }
  }
  if (choice.asked === undefined && choice.remembered !== undefined) {
    try {
      return await listen(server, address, choice.remembered);
    } catch (error) {
      warn(
        `Port ${choice.remembered}, used last time, cannot be had (${codeOf(error)}); a free one is used, so endpoint URLs change.`,
      );
    }
  }
  return await listen(server, address, 0);
}

function cannotListen(error: unknown, address: string, port: number): WeirError {
  const why = {
    EADDRINUSE: `Port ${port} is used by another program; stop that one, or choose another port with --port (without it, a free one is taken).`,
    EACCES: `Port ${port} may not be opened by this user; choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `The address ${address} does not exist on this machine; leave --host out.`,
  }[codeOf(error)];
  return new WeirError('conflict', why ?? `Port ${port} cannot be opened: ${String(error)}`);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
