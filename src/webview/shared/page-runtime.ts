/** What each page is told of the runtime that it shows (types only). */
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
