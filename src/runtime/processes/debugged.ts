/** A deployed source with its file, or a file alone: an action, or a source that is not deployed. */
export interface DebugTarget {
  /** `dc_…`; only this source's own processes are debugged. */
  readonly sourceId: string | null;
  /** Processes of this file that belong to no source (forms, dry runs, actions) are debugged too. */
  readonly path: string | null;
}

/** The key of a session: the source's id, else the file's path. */
export function keyOf({ sourceId, path }: DebugTarget): string {
  return sourceId ?? path ?? '';
}

/** A process whose inspector is open. */
export interface Debugged {
  readonly target: DebugTarget;
  /** `ws://127.0.0.1:PORT/…` */
  readonly url: string;
  /** Folder of the bundle that runs, with its source map. */
  readonly folder: string;
}
