import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { PageOf, PageRequest } from '../page.ts';

/** Code that was deployed once: immutable, named by the hash of its bundle. */
export interface ComponentRecord {
  readonly id: string;
  readonly hash: string;
  /** File it was made from. */
  readonly path: string | null;
  readonly definition: ComponentDefinition;
  readonly createdAt: number;
}

/** A key (`app-name`) and its saved component. */
export interface PublishedRecord {
  readonly key: string;
  readonly version: string;
  readonly componentId: string;
}

export interface ComponentTable {
  get(id: string): ComponentRecord | undefined;
  /** Same hash and path: the same saved component. */
  find(hash: string, path: string | null): ComponentRecord | undefined;
  all(): ComponentRecord[];
  list(page: PageRequest): PageOf<ComponentRecord>;
  /** Saves it unless the same code of the same file is saved already; resolves with the stored one. */
  ensure(record: ComponentRecord): Promise<ComponentRecord>;
  /** The component that a person published under this key. */
  published(key: string): PublishedRecord | undefined;
  /** Saves the component if it is new, and replaces the version that has its key so far. */
  publish(record: ComponentRecord, key: string, version: string): Promise<void>;
  unpublish(key: string): Promise<void>;
  /** Removes components no source and no key refers to; returns the hashes that are now unused. */
  removeUnused(): Promise<string[]>;
}
