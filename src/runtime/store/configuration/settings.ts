/** What the runtime remembers of itself: its API key, its port. */
export interface SettingsTable {
  get(key: string): string | undefined;
  set(key: string, value: string): Promise<void>;
}
