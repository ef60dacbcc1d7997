/** Values of props, by name. */
export type Props = Readonly<Record<string, unknown>>;

/** A `weir` launch configuration, its variables replaced. */
export interface LaunchConfiguration {
  readonly name?: string;
  /** Absolute path of a component's file; the active editor's without. */
  readonly component?: string;
  /** Id or name slug of a deployed source. */
  readonly source?: string;
  /** What a source is run with once the debugger is attached: JSON, or a file that holds it. */
  readonly event?: unknown;
  /** Props of a component that is not deployed; asked for when one is missing. */
  readonly props?: Props;
}
