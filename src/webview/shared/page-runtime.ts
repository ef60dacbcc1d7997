/** What the host tells every page (types only): the runtime that the page shows, and that a text was copied. */
export interface PageRuntime {
  /** "production"; "Local" for the folder's own. */
  readonly name: string;
  readonly isLocal: boolean;
  /** Why nothing can be done with what the page shows, one or two sentences; null while something can. */
  readonly problem: string | null;
}

/** Host → page, of every page. */
export interface RuntimeMessage {
  readonly t: 'runtime';
  readonly runtime: PageRuntime;
}

/** Host → page, of every page: the clipboard holds what the page asked to have copied. */
export interface CopiedMessage {
  readonly t: 'copied';
}
