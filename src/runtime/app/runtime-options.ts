import type { WeirError } from '../../protocol/errors.ts';
import type { SealingKey } from '../accounts/key-file.ts';
import type { Level } from '../base/log.ts';
import type { BaseServices } from '../base/services.ts';
import type { NodeLink } from '../cluster/node-link.ts';
import type { ListenFlags } from '../server/listen-options.ts';
import type { CodeTable } from '../store/code.ts';
import type { Store } from '../store/store.ts';

/** The options of a runtime. */
export interface RuntimeOptions extends ListenFlags, Pick<BaseServices, 'settings'> {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** On a database that several share: what this one has of it. The store is in the data folder unless given. */
  readonly node?: NodeParts | undefined;
  /** Folder of the built files (dist), which has the component host and SQLite's wasm. */
  readonly dist: string;
  readonly version: string;
  readonly port?: number | undefined;
  /** File that is given a line of each request, `-` for standard output. */
  readonly requestLog?: string | undefined;
  /** Address of an OTLP collector that is sent traces. */
  readonly traces?: string | undefined;
  readonly redirects: Readonly<Record<string, string>>;
  /** Memory for the server and all component processes; if absent, no idle process ends early. */
  readonly memoryMb?: number | undefined;
  readonly echo?: (level: Level, line: string) => void;
}

/** The parts that a runtime gets from its node. */
export interface NodeParts extends Pick<BaseServices, 'clock'> {
  readonly openStore: (onFailure: (failure: WeirError, fault?: unknown) => void) => Promise<Store>;
  readonly code: CodeTable;
  readonly key: SealingKey;
  readonly link: NodeLink;
  /** Just before it listens: its ports are free when this resolves. */
  readonly beforeListening: () => Promise<void>;
}
