import { once } from 'node:events';
import { createServer } from 'node:net';
import { findRuntime, readRuntimeFile } from '../../client/runtime-file.ts';
import { messageOf } from '../../protocol/errors.ts';
import { bad, type Check, ok, warning } from './check.ts';

/** Whether the port of the last runtime, which endpoint URLs name, can be had again. */
export async function checkPort(folder: string): Promise<Check> {
  const name = 'port';
  try {
    const runtime = await findRuntime(folder);
    if (runtime !== undefined) return ok(name, `${new URL(runtime.url).port}, in use by it.`);
    const left = await readRuntimeFile(folder);
    const port = left === undefined ? 0 : Number(new URL(left.url).port);
    const taken = await whyTaken(port);
    if (taken === undefined) {
      return ok(name, port === 0 ? '127.0.0.1 can be listened on.' : `${port} is free.`);
    }
    if (port === 0) {
      return bad(
        name,
        `127.0.0.1 cannot be listened on: ${taken}`,
        'Allow this program to listen.',
      );
    }
    const found = `${port}, used last time, is taken by another program.`;
    return warning(name, found, 'Stop that one, or endpoint URLs change at the next start.');
  } catch (error) {
    return bad(name, messageOf(error), 'Stop the runtime and start it again.');
  }
}

async function whyTaken(port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    server.close();
  }
}
