import type { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import { isWithin } from '../is-within.ts';
import { Mirror } from '../model/mirror.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { HealthCheck } from './health-check.ts';
import { notCurrent, runtimeKey } from './runtime-identity.ts';
import { RuntimeLink } from './runtime-link.ts';

export interface FolderOptions {
  /** The user's name for it: the workspace folder's name. */
  readonly name: string;
  /** Absolute path; undefined for a window without a folder. */
  readonly root: string | undefined;
  readonly dataFolder: string;
  /** Why no runtime may be had now; undefined when one may. */
  readonly refused?: () => WeirError | undefined;
  /** Connects to the runtime of the data folder, starting one when none runs. */
  readonly openLocal: () => Promise<RuntimeClient>;
  /** Connects to the one on another machine of that name. */
  readonly openRemote: (name: string) => Promise<RuntimeClient>;
  /** Name of the runtime on another machine that it is for good; undefined for the folder's own. */
  readonly remote: string | undefined;
  readonly log: (line: string) => void;
  /** Whether the window has the focus. */
  readonly isFocused: () => boolean;
  readonly clock: Clock;
}

/**
 * A workspace folder at one runtime, permanently: the link to that runtime, and a mirror of its state. When the user
 * switches, another object replaces it in the window, and pages that were opened with this one stay with it.
 */
export class Folder {
  readonly name: string;
  readonly root: string | undefined;
  readonly dataFolder: string;
  /** Name of the runtime on another machine that it uses; undefined for its own. */
  readonly remote: string | undefined;
  /** Key of the runtime and the folder (runtime-identity.ts). */
  readonly key: string;
  readonly link: RuntimeLink;
  readonly mirror: Mirror;
  readonly health: HealthCheck;
  /** Connects to the runtime of the data folder, also while another one is used. */
  readonly openLocal: () => Promise<RuntimeClient>;
  #isCurrent = true;

  constructor(options: FolderOptions) {
    const { name, root, dataFolder, refused, openLocal, openRemote, remote } = options;
    const { log, isFocused, clock } = options;
    this.name = name;
    this.root = root;
    this.dataFolder = dataFolder;
    this.remote = remote;
    this.key = runtimeKey({ dataFolder, remote });
    this.openLocal = openLocal;
    this.mirror = new Mirror(clock);
    this.link = new RuntimeLink({
      refused: () => (this.#isCurrent ? refused?.() : notCurrent(this)),
      open: () => (remote === undefined ? openLocal() : openRemote(remote)),
      isRemote: () => remote !== undefined,
      connected: (client) => this.mirror.follow(client),
      log,
      clock,
    });
    this.health = new HealthCheck({ client: () => this.link.client, isFocused, clock });
  }

  /** Whether the window uses this runtime for the folder; what belongs to another one can be looked at, and cannot act. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** @throws WeirError `conflict` while the window uses another runtime for the folder */
  requireCurrent(): void {
    if (!this.#isCurrent) throw notCurrent(this);
  }

  /** Absolute path of the folder whose files a runtime on another machine gets. */
  get projectRoot(): string {
    return this.root ?? this.dataFolder;
  }

  /** Its runtime is in use from now on. The caller connects to it. */
  enter(): void {
    this.#isCurrent = true;
    // A folder that is opened again may have another key by now.
    this.link.disconnect();
    this.mirror.repaint();
  }

  /** Releases its runtime, which keeps running: another one is in use from now on. */
  leave(): void {
    this.#isCurrent = false;
    this.link.disconnect();
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
