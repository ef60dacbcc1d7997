/** What the rest of the runtime knows of the components room. */
import type { ComponentDefinition } from '../../protocol/definition.ts';
import type { Host, HostOptions } from '../hosts/host.ts';

/** An immutable folder `deployments/<hash>/` that can be run. */
export interface Deployment {
  /** Hash of the bundle, hex. Same code, same hash. */
  readonly hash: string;
  readonly folder: string;
  /** Absolute path of the bundle inside the folder. */
  readonly bundle: string;
  /** Absolute path of the file it was made from, null for code given as text. */
  readonly path: string | null;
  /** Absolute paths of the local files that went into the bundle: what dev mode watches. */
  readonly inputs: readonly string[];
}

export interface Components {
  /**
   * Bundles a file with what it imports. Rejects with `WeirError('bad_component')` whose details name
   * file, line and column of each compile error; touches nothing that is deployed.
   */
  build(path: string, options?: BuildOptions): Promise<Deployment>;
  /** A deployment that was built before; undefined when its folder is gone. */
  get(hash: string): Promise<Deployment | undefined>;
  /** Starts a host of a deployment: the definition is `host.definition`. */
  open(deployment: Deployment, options: Omit<HostOptions, 'bundle'>): Promise<Host>;
  /**
   * Whether what kept a bundle from loading is a package that cannot live in one. It stays outside
   * from now on: building the file once more makes another deployment.
   */
  worksOutsideBundle(error: unknown): boolean;
  /** Removes folders of these hashes. */
  remove(hashes: readonly string[]): Promise<void>;
  /** Removes every other folder: at start, those of components that were only looked at. */
  removeAllBut(hashes: ReadonlySet<string>): Promise<void>;
}

export interface BuildOptions {
  readonly signal?: AbortSignal;
  /** One short sentence per step ("Installing axios"). */
  readonly progress?: (message: string) => void;
  /** Whether packages it lacks may be installed; the setting decides where nothing is said. */
  readonly install?: boolean | undefined;
}

/** A definition that was checked: what is wrong with it, and what the platform would not like. */
export interface CheckedDefinition {
  readonly definition: ComponentDefinition;
  /** Sentences; the deploy goes on. */
  readonly warnings: readonly string[];
}
