/** Checks of `weir doctor` on the data folder: the folder, its store, its runtime and its port. */
import { once } from 'node:events';
import { access, constants, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from '../../client/connection.ts';
import { lookForRuntime, readRuntimeFile, runtimeFilePath } from '../../client/runtime-file.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Salvaged } from '../../runtime/store/sqlite/salvage.ts';
import { loadRuntime } from '../runtime-bundle.ts';
import { bad, type Check, isMissing, ok, warning } from './check.ts';

export async function checkDataFolder(folder: string): Promise<Check> {
  const name = 'data folder';
  try {
    if (!(await stat(folder)).isDirectory()) {
      return bad(name, `${folder} is a file.`, 'Name a folder with --data.');
    }
    const { R_OK, W_OK, X_OK } = constants;
    await access(folder, R_OK | W_OK | X_OK);
    return ok(name, folder);
  } catch (error) {
    if (isMissing(error)) return ok(name, `${folder} is created at the first start.`);
    return bad(
      name,
      `${folder} cannot be written.`,
      'Make it yours, or choose another with --data.',
    );
  }
}

/** A live store belongs to its runtime alone; one that nobody has open is checked as a start checks it. */
export async function checkStore(folder: string): Promise<Check> {
  const name = 'store';
  const path = join(folder, 'weir.db');
  try {
    if ((await lookForRuntime(folder)) !== undefined) return ok(name, `${path}, in use.`);
    const { state, warning: foreign, timers } = await loadRuntime().checkDataFolder(folder);
    if (state === 'absent') return ok(name, `${path} is created at the first start.`);
    if (foreign !== undefined) return warning(name, foreign, 'All else works without them.');
    if (timers.length > 0) return warning(name, timers.join(' '), 'All else runs without them.');
    if (state === 'live') return ok(name, `${path} was cut off; the next start recovers it.`);
    return ok(name, `${path} is undamaged.`);
  } catch (error) {
    return bad(name, messageOf(error), 'A start says the same, and leaves it as it is.');
  }
}

/** Writes what can be read of the store into another file; the store itself stays as it is. */
export async function salvageStore(folder: string, file: string): Promise<Salvaged> {
  if ((await lookForRuntime(folder)) !== undefined) {
    throw new WeirError(
      'conflict',
      `The runtime of ${folder} has the store open: stop it first, or write a copy with "weir db copy FILE".`,
    );
  }
  return loadRuntime().salvageDataFolder(folder, file);
}

export async function checkRuntime(folder: string): Promise<Check> {
  const name = 'runtime';
  try {
    const found = await lookForRuntime(folder);
    if (found?.answers === false) {
      const { url, pid } = found.file;
      return bad(
        name,
        `It runs at ${url}, pid ${pid}, and does not answer.`,
        'Wait until it is less busy, or end that process: "weir serve" starts it again and continues.',
      );
    }
    if (found !== undefined) {
      const connection = await connect(found.file);
      const info = await connection.call('runtime.info', {}).finally(() => connection.close());
      return ok(name, `Weir ${info.version} at ${info.url}, pid ${info.pid}.`);
    }
    if ((await readRuntimeFile(folder)) === undefined) return ok(name, 'It is not running.');
    const left = `${runtimeFilePath(folder)} names one that does not answer.`;
    return warning(name, left, 'It was cut off; "weir serve" starts it again and continues.');
  } catch (error) {
    return bad(name, messageOf(error), 'Stop it and start it again.');
  }
}

/** Whether the port of the last runtime, which endpoint URLs name, is available. */
export async function checkPort(folder: string): Promise<Check> {
  const name = 'port';
  try {
    const found = await lookForRuntime(folder);
    if (found !== undefined) return ok(name, `${new URL(found.file.url).port}, in use by it.`);
    const left = await readRuntimeFile(folder);
    const port = left === undefined ? 0 : Number(new URL(left.url).port);
    const problem = await listenProblem(port);
    if (problem === undefined) {
      return ok(name, port === 0 ? '127.0.0.1 can be listened on.' : `${port} is free.`);
    }
    if (port === 0) {
      return bad(
        name,
        `127.0.0.1 cannot be listened on: ${problem}`,
        'Allow this program to listen.',
      );
    }
    const taken = `${port}, used last time, is taken by another program.`;
    return warning(name, taken, 'Stop that one, or endpoint URLs change at the next start.');
  } catch (error) {
    return bad(name, messageOf(error), 'Stop the runtime and start it again.');
  }
}

/** Why the port cannot be listened on; undefined when it can. */
async function listenProblem(port: number): Promise<string | undefined> {
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
