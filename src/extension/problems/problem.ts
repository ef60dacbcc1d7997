/** Offsets in the text, the end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface TextEdit extends Range {
  /** With `${1:placeholder}` where something is left to type. */
  readonly snippet: string;
}

export interface Fix {
  readonly title: string;
  readonly edit: TextEdit;
}

/** A problem of a component that its text shows, and its fixes. */
export interface TextProblem extends Range {
  /** The name of the rule, to search for. */
  readonly code:
    | 'no-name'
    | 'no-run'
    | 'no-key'
    | 'no-version'
    | 'unknown-type'
    | 'unknown-key'
    | 'unknown-dedupe'
    | 'secret-not-string'
    | 'emit-without-id';
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
  readonly fixes: readonly Fix[];
}
