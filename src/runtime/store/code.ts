/** Code that is deployed, for nodes that have none of it on their disks. Kept by stores that several of them share. */
export interface CodeTable {
  /** Resolves when it is on disk. Of a hash that is there already nothing is written. */
  put(hash: string, files: Uint8Array): Promise<void>;
  /** Hashes of saved components whose code it does not have. */
  missing(): Promise<readonly string[]>;
  /** All that it has. */
  hashes(): Promise<readonly string[]>;
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Removes the code that no saved component has. */
  prune(): Promise<void>;
}
