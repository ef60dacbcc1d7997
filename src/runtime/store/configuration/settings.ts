/** Values that the runtime keeps for itself: its API key, its port. */
export interface SettingsTable {
  get(key: string): string | undefined;
  set(key: string, value: string): Promise<void>;
  /** Keeps the value unless there is one already; resolves with the stored one. */
  ensure(key: string, value: string): Promise<string>;
}
