/** The view of deployments that the rest of the runtime has. */
import type { AdHocPlaces } from '../../base/ad-hoc-places.ts';
import type { Host, HostOptions } from '../../processes/host.ts';
import type { AppKeys } from '../bundle/app-keys.ts';
import type { InstallOptions } from '../packages/packages.ts';

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
  /** The keys of `$auth` that its code reads. */
  readonly appKeys?: AppKeys;
}

/** The code that a process is started for. */
export interface Runnable extends Pick<Deployment, 'folder' | 'path'> {
  /** Null of a workflow: its steps have one each, below `folder`. */
  readonly bundle: string | null;
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
  open(deployment: Runnable, options: Omit<HostOptions, 'bundle'>): Promise<Host>;
  /** The folder of all deployments. */
  folder(): Promise<string>;
  /**
   * Learns from an error of `open` which package cannot be bundled: it is external from now on, and
   * building the file once more makes another deployment.
   * @returns false when the error does not name such a package
   */
  learnExternal(error: unknown): boolean;
  /** Removes folders of these hashes. */
  remove(hashes: readonly string[]): Promise<void>;
  /** Removes every other folder: at start, those of components that were inspected and never deployed. */
  removeAllBut(hashes: ReadonlySet<string>): Promise<void>;
}

/**
 * `progress` gets one short sentence per step ("Installing axios"); `install` says whether missing
 * packages may be installed, and without it the setting decides.
 */
export interface BuildOptions extends InstallOptions {
  /** Places that may be named although no registry is configured for them; none unless given. */
  readonly adHoc?: AdHocPlaces | undefined;
}
