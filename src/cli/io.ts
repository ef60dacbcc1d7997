/** The outside of the CLI: what a test gives instead of the process. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    /** On a terminal: sets whether each key arrives as it is pressed. */
    setRawMode?(isRaw: boolean): unknown;
  };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The part of a stream that the CLI uses. `columns` exists only on a terminal. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, cwd: process.cwd() };
}
