/** What the parts of a workflow tell while they are read. */
export interface Reading {
  readonly files: Map<string, string>;
  readonly remarks: string[];
  readonly notUnderstood: string[];
  /** The text of a file of the export that a value may name. */
  readonly fileAt: (path: string) => string | undefined;
}
