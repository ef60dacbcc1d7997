/** The findings of a workflow's parts while they are read. */
export interface Reading {
  readonly files: Map<string, string>;
  readonly remarks: string[];
  /** Steps that have another name here: by the name of the export, the name here and the step's path. */
  readonly renamed: Map<string, { readonly name: string; readonly path: string }>;
  readonly notUnderstood: string[];
  /** The text of a file of the export that a value may name. */
  readonly fileAt: (path: string) => string | undefined;
}
