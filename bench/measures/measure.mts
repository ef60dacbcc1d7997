/** What `npm run bench -- NAME` runs. */
export interface Measure {
  /** One line for the usage text. */
  readonly summary: string;
  run(options: MeasureOptions): Promise<MeasureResult>;
}

export interface MeasureOptions {
  /** Length of a round, where a measure goes by time. */
  readonly seconds: number;
  readonly rounds: number;
  /** Folder of the build that is measured. */
  readonly dist: string;
  /** Only peers whose name contains one of these, in lower case; all when it is undefined. */
  readonly only: readonly string[] | undefined;
  /** Further builds of Weir. */
  readonly builds: readonly string[];
  /** Folder for a CPU profile of Weir's runtime. */
  readonly profile: string | undefined;
  /** Tells a person how far it is. */
  readonly note: (line: string) => void;
}

export interface MeasureResult {
  /** For `--json`. */
  readonly report: object;
  /** The same for a terminal. */
  readonly text: string;
}
