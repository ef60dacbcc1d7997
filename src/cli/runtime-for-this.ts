import { join } from 'node:path';
import { findRuntime } from '../client/runtime-file.ts';
import { startRuntime } from '../client/start.ts';

/** One that is running is used; one that is started here ends with its last client. */
export async function ensureRuntime(dataFolder: string): Promise<void> {
  if ((await findRuntime(dataFolder)) !== undefined) return;
  await startRuntime({
    runtimeFile: join(__dirname, 'runtime.js'),
    dataFolder,
    execPath: process.execPath,
    args: ['--attended'],
  });
}
