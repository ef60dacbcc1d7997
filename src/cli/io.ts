/** The outside of the CLI: what a test gives instead of the process. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    /** Of a terminal: whether each key comes as it is pressed. */
    setRawMode?(isRaw: boolean): unknown;
  };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** What of a stream the CLI writes to. `columns` is there on a terminal only. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, cwd: process.cwd() };
}
