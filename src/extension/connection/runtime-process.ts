import { setTimeout as delay } from 'node:timers/promises';
import { WeirError } from '../../protocol/errors.ts';
import type { RuntimeFile } from '../../protocol/rpc.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';

export interface RuntimeProcessOptions {
  readonly dataFolder: string;
  /** Absolute path of `dist/runtime.js`. */
  readonly runtimeFile: string;
  /** Running a component is running the folder's code, so nothing is started without trust. */
  readonly isTrusted: () => boolean;
  /** `name=value` each (src/runtime/settings.ts); for a runtime that is started, not for one that runs. */
  readonly settings: () => readonly string[];
  /** Of `serve`, such as `--public-url`. */
  readonly arguments: () => readonly string[];
  /** Asks a person whether these npm packages may be installed. */
  readonly approvePackages: (packages: readonly string[]) => Promise<boolean>;
  readonly log: (line: string) => void;
}

/** Connects to the runtime of a data folder, starting it when none runs. */
export async function openRuntime(options: RuntimeProcessOptions): Promise<RuntimeClient> {
  if (!options.isTrusted()) {
    throw new WeirError('conflict', 'Weir runs nothing until you trust this workspace.');
  }
  // Not loaded before there is something to connect to: most windows never get here.
  const [{ connect }, { withPackages }] = await Promise.all([
    import('../../client/connection.ts'),
    import('../../client/with-packages.ts'),
  ]);
  const runtime = await findOrStart(options);
  const connection = await connect(runtime);
  options.log(
    `Connected to the runtime ${runtime.version} at ${runtime.url} (pid ${runtime.pid}).`,
  );
  const call = withPackages({ call: connection.call }, options.approvePackages);
  return Object.assign(connection, { url: runtime.url, call });
}

/** How long a data folder may be in use by a runtime that does not answer (yet, or any more), in ms. */
const handoverMs = 5000;
const retryMs = 100;

async function findOrStart(options: RuntimeProcessOptions): Promise<RuntimeFile> {
  const { findRuntime } = await import('../../client/runtime-file.ts');
  const deadline = Date.now() + handoverMs;
  for (;;) {
    const running = await findRuntime(options.dataFolder);
    if (running !== undefined) return running;
    try {
      return await start(options);
    } catch (error) {
      // Another window was faster, or the runtime that was stopped is still at its last line.
      if (!WeirError.is(error, 'data_folder_in_use') || Date.now() > deadline) throw error;
      await delay(retryMs);
    }
  }
}

async function start(options: RuntimeProcessOptions): Promise<RuntimeFile> {
  const { startRuntime } = await import('../../client/start.ts');
  options.log(`Starting a runtime for ${options.dataFolder}.`);
  return startRuntime({
    runtimeFile: options.runtimeFile,
    dataFolder: options.dataFolder,
    execPath: process.execPath,
    // Such a runtime ends by itself when its last client is gone.
    args: [
      '--attended',
      ...options.arguments(),
      ...options.settings().flatMap((assignment) => ['--set', assignment]),
    ],
  });
}
