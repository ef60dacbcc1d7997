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
  readonly open: () => Promise<RuntimeClient>;
  readonly log: (line: string) => void;
  /** Whether the window has the focus. */
  readonly isFocused: () => boolean;
  readonly clock: Clock;
}

/** One workspace folder: its data folder, the link to its runtime, and a mirror of what that has. */
export class Folder {
  readonly name: string;
  readonly root: string | undefined;
  readonly dataFolder: string;
  readonly link: RuntimeLink;
  readonly mirror: Mirror;
  readonly health: HealthCheck;

  constructor(options: FolderOptions) {
    const { name, root, dataFolder, refused, open, log, isFocused, clock } = options;
    this.name = name;
    this.root = root;
    this.dataFolder = dataFolder;
    this.mirror = new Mirror(clock);
    this.link = new RuntimeLink({
      ...(refused === undefined ? {} : { refused }),
      open,
      connected: (client) => this.mirror.follow(client),
      log,
      clock,
    });
    this.health = new HealthCheck({ client: () => this.link.client, isFocused, clock });
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
