/** One run of the suite, as both kinds of editor take it. */
export interface Run {
  /** Folder that is opened. */
  readonly workspace: string;
  /** The VSIX to install; without one, the project's folder is loaded as it is. */
  readonly vsix?: string;
  /** What the user has set, beside what keeps an editor under test quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Module whose `run()` runs the tests. */
  readonly entry: string;
  /** What the suite reads from its environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Launched {
  /** Rejects when the editor ends before the suite has. */
  readonly ended: Promise<never>;
  /** Takes the window away and leaves the extension host. */
  closeWindow(): Promise<void>;
  screenshot(file: string): Promise<void>;
  /** What the editor printed. */
  log(): string;
  stop(): Promise<void>;
}
