/** How an editor is opened, on the desktop or in a browser. */
export interface EditorOptions {
  /** Folder that is opened. */
  readonly workspace: string;
  /** The VSIX to install; without one, the project's folder is loaded as it is. */
  readonly vsix?: string;
  /** Settings of the user, beside those that keep an editor under test quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Module whose `run()` runs in the extension host. */
  readonly entry: string;
  /** Environment variables of the extension host. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Editor {
  /** Rejects when the editor ends before it is stopped. */
  readonly ended: Promise<never>;
  /** Closes the window and leaves the extension host running. */
  closeWindow(): Promise<void>;
  screenshot(file: string): Promise<void>;
  /** What the editor printed. */
  log(): string;
  stop(): Promise<void>;
}
