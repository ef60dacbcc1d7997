import path from 'node:path';
import { Mirror } from '../model/mirror.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { Pulse } from './pulse.ts';
import { RuntimeLink } from './runtime-link.ts';

export interface FolderOptions {
  /** What the user calls it: the workspace folder's name. */
  readonly name: string;
  /** Absolute path; undefined for a window without a folder. */
  readonly root: string | undefined;
  readonly dataFolder: string;
  readonly open: (dataFolder: string) => Promise<RuntimeClient>;
  readonly log: (line: string) => void;
  /** Whether somebody looks at the window. */
  readonly isWatched: () => boolean;
}

/** One workspace folder: its data folder, the link to its runtime, and what that runtime has. */
export class Folder {
  readonly name: string;
  readonly root: string | undefined;
  readonly dataFolder: string;
  readonly link: RuntimeLink;
  readonly mirror = new Mirror();
  readonly pulse: Pulse;

  constructor(options: FolderOptions) {
    this.name = options.name;
    this.root = options.root;
    this.dataFolder = options.dataFolder;
    this.link = new RuntimeLink({
      open: () => options.open(options.dataFolder),
      connected: (client) => this.mirror.follow(client),
      now: Date.now,
      log: options.log,
    });
    this.pulse = new Pulse({
      client: () => this.link.client,
      isWatched: options.isWatched,
      now: Date.now,
    });
  }

  /** Whether a file belongs to this folder. */
  holds(file: string): boolean {
    if (this.root === undefined) return false;
    const relative = path.relative(this.root, file);
    return !relative.startsWith('..') && !path.isAbsolute(relative);
  }

  dispose(): void {
    this.pulse.dispose();
    this.link.dispose();
    this.mirror.dispose();
  }
}
