/** A step's file in another language, and what a component's `run` gets that runs it. */
export interface Script {
  readonly language: 'python' | 'bash';
  /** Absolute path of the file, for messages and for what it reads beside itself. */
  readonly file: string;
  readonly code: string;
  /** The modules that it imports from its folder, by name, as deployed. */
  readonly modules: Readonly<
    Record<string, { readonly file: string; readonly code: string; readonly package: boolean }>
  >;
  /** The interpreter. */
  readonly program: string;
  /** Props that the step declares itself (`__configurableProps`). */
  readonly props: Readonly<Record<string, unknown>>;
}

/** The arguments of a step's `run`, as far as a script uses them. */
export interface StepArguments {
  readonly steps: Readonly<Record<string, unknown>>;
  readonly $: StepDollar;
}

export interface StepDollar {
  export(name: string, value: unknown): void;
  respond(response: unknown): Promise<void>;
  readonly context: unknown;
  readonly flow: Readonly<Record<string, (...given: unknown[]) => unknown>>;
  readonly send: Readonly<Record<string, (config: unknown) => void>>;
}
