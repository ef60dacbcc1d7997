import type { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import { isWithin } from '../is-within.ts';
import { Mirror } from '../model/mirror.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { HealthCheck } from './health-check.ts';
import { RuntimeLink } from './runtime-link.ts';

export interface FolderOptions {
  /** What the user calls it: the workspace folder's name. */
  readonly name: string;
  /** Absolute path; undefined for a window without a folder. */
  readonly root: string | undefined;
  readonly dataFolder: string;
  /** Why no runtime may be had now; undefined when one may. */
  readonly refused?: () => WeirError | undefined;
  /** Connects to the runtime of the data folder, starting one when none runs. */
  readonly openLocal: () => Promise<RuntimeClient>;
  /** Connects to the one on another machine that is chosen. */
  readonly openRemote: (name: string) => Promise<RuntimeClient>;
  /** Name of the runtime on another machine that is chosen; undefined for the folder's own. */
  readonly chosen: () => string | undefined;
  readonly log: (line: string) => void;
  /** Whether the window has the focus. */
  readonly isFocused: () => boolean;
  readonly clock: Clock;
}

/** One workspace folder: its data folder, the link to the runtime it uses, and a mirror of what that has. */
export class Folder {
  readonly name: string;
  readonly root: string | undefined;
  readonly dataFolder: string;
  readonly link: RuntimeLink;
  readonly mirror: Mirror;
  readonly health: HealthCheck;
  /** Connects to the runtime of the data folder, also while another one is used. */
  readonly openLocal: () => Promise<RuntimeClient>;
  readonly #chosen: () => string | undefined;

  constructor(options: FolderOptions) {
    const { name, root, dataFolder, refused, openLocal, openRemote, chosen } = options;
    const { log, isFocused, clock } = options;
    this.name = name;
    this.root = root;
    this.dataFolder = dataFolder;
    this.openLocal = openLocal;
    this.#chosen = chosen;
    this.mirror = new Mirror(clock);
    this.link = new RuntimeLink({
      ...(refused === undefined ? {} : { refused }),
      open: () => {
        const remote = chosen();
        return remote === undefined ? openLocal() : openRemote(remote);
      },
      isRemote: () => chosen() !== undefined,
      connected: (client) => this.mirror.follow(client),
      log,
      clock,
    });
    this.health = new HealthCheck({ client: () => this.link.client, isFocused, clock });
  }

  /** Name of the runtime on another machine that it uses; undefined for its own. */
  get remote(): string | undefined {
    return this.#chosen();
  }

  /** Absolute path of the folder whose files a runtime on another machine gets. */
  get projectRoot(): string {
    return this.root ?? this.dataFolder;
  }

  /** Leaves the runtime it is connected to, which goes on, for the one that is chosen now. */
  async reconnect(): Promise<void> {
    this.link.disconnect();
    this.mirror.clear();
    await this.link.ready();
  }

  /** Whether a file belongs to this folder. */
  holds(file: string): boolean {
    return this.root !== undefined && isWithin(this.root, file);
  }

  dispose(): void {
    this.health.dispose();
    this.link.dispose();
    this.mirror.dispose();
  }
}
