import type { Level } from '../log.ts';
import type { Settings } from '../settings.ts';

/** What a runtime is started with. */
export interface RuntimeOptions {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Folder of the built files (dist): the component host and SQLite's wasm stand in it. */
  readonly dist: string;
  readonly version: string;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** What `this.http.endpoint` shows in place of the loopback address (tunnels, forwarded ports). */
  readonly publicUrl?: string | undefined;
  readonly redirects: Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly echo?: (level: Level, line: string) => void;
}
