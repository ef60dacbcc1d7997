import { findRuntime } from '../../client/runtime-file.ts';
import { startRuntime } from '../../client/start.ts';
import { withPackages } from '../../client/with-packages.ts';
import { withTrust } from '../../client/with-trust.ts';
import type { TrustQuestion } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { RuntimeFile } from '../../protocol/rpc.ts';
import type { Clock } from '../clock.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';

export interface RuntimeProcessOptions {
  readonly dataFolder: string;
  /** Absolute path of `dist/runtime.js`. */
  readonly runtimeFile: string;
  /** `name=value` each (src/runtime/base/settings.ts); used when a runtime is started, not for one that runs already. */
  readonly settings: () => readonly string[];
  /** Further arguments of a runtime that is started, such as `--public-url`. */
  readonly arguments: () => readonly string[];
  /** Asks a person whether these npm packages may be installed. */
  readonly approvePackages: (packages: readonly string[]) => Promise<boolean>;
  /** Asks a person whether these components of others may run. */
  readonly approveComponents: (questions: readonly TrustQuestion[]) => Promise<boolean>;
  readonly log: (line: string) => void;
  readonly clock: Clock;
}

/** Connects to the runtime of a data folder, starting it when none runs. */
export async function openRuntime(options: RuntimeProcessOptions): Promise<RuntimeClient> {
  const runtime = await findOrStart(options);
  const { connect } = await loadConnection();
  const connection = await connect(runtime);
  options.log(
    `Connected to the runtime ${runtime.version} at ${runtime.url} (pid ${runtime.pid}).`,
  );
  const installing = withPackages({ call: connection.call }, options.approvePackages);
  const call = withTrust({ call: installing }, options.approveComponents);
  return Object.assign(connection, { url: runtime.url, isRemote: false, call });
}

/** A bundle of its own (scripts/bundles.mts): most windows have nothing to connect to. */
const loadConnection = () => import('../../client/connection.ts');

/** How long a data folder may be in use by a runtime that does not answer yet, or any more, in ms. */
const handoverMs = 5000;
const retryMs = 100;

async function findOrStart(options: RuntimeProcessOptions): Promise<RuntimeFile> {
  const { clock } = options;
  const deadline = clock.now() + handoverMs;
  for (;;) {
    const running = await findRuntime(options.dataFolder);
    if (running !== undefined) return running;
    try {
      return await start(options);
    } catch (error) {
      // Another window is starting one, or the one that was stopped has not quite ended.
      if (!WeirError.is(error, 'data_folder_in_use') || clock.now() > deadline) throw error;
      await new Promise<void>((resolve) => clock.after(retryMs, resolve));
    }
  }
}

function start(options: RuntimeProcessOptions): Promise<RuntimeFile> {
  options.log(`Starting a runtime for ${options.dataFolder}.`);
  const started = startRuntime({
    runtimeFile: options.runtimeFile,
    dataFolder: options.dataFolder,
    execPath: process.execPath,
    // An attended runtime ends by itself when its last client is gone.
    args: ['--attended', ...options.arguments()],
    settings: options.settings(),
  });
  // Loaded while it starts; the connecting caller gets a failure.
  loadConnection().catch(() => undefined);
  return started;
}
