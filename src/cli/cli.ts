/** What every verb is made with: its output, its data folder, its runtime, its exit code. */
import type { Command } from 'commander';
import { type CallOptions, type Caller, connect } from '../client/connection.ts';
import { withPackages } from '../client/with-packages.ts';
import { findRuntime } from '../client/runtime-file.ts';
import type { OperationName, Params, Result } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import type { RuntimeFile } from '../protocol/rpc.ts';
import { dataFolderOf } from './data-folder.ts';
import type { Io } from './io.ts';
import { createHumanRenderer } from './render/human.ts';
import { createJsonRenderer } from './render/json.ts';
import type { Renderer } from './render/renderer.ts';

export interface Tools {
  readonly io: Io;
  readonly out: Renderer;
  readonly dataFolder: string;
  /** Aborted by Ctrl-C and by the terminal going away. */
  readonly interrupted: AbortSignal;
  /** Width for tables; undefined when the output goes to a file. */
  readonly width: number | undefined;
}

/** With a runtime that runs. Its `call` shows progress and is cancelled by Ctrl-C. */
export interface ConnectedTools extends Tools, Caller {
  readonly runtime: RuntimeFile;
}

/** 0 done, 1 failed, 2 wrong usage. A verb that returns nothing is done. */
export type ExitCode = 0 | 1 | 2;

export interface Cli {
  readonly exitCode: ExitCode;
  tools(command: Command): Tools;
  /** Runs a verb that needs no runtime. */
  run(command: Command, verb: (tools: Tools) => Promise<ExitCode | void>): Promise<void>;
  /** Runs a verb on the runtime of the data folder. Throws `runtime_unavailable` when none runs. */
  connected(
    command: Command,
    verb: (tools: ConnectedTools) => Promise<ExitCode | void>,
  ): Promise<void>;
}

/** A verb adds its command, with what it takes and does, to the program. */
export type Verb = (program: Command, cli: Cli) => void;

export function createCli(io: Io, interrupted: AbortSignal): Cli {
  let exitCode: ExitCode = 0;
  const tools = (command: Command): Tools => {
    const { data, json } = command.optsWithGlobals<{ data?: string; json?: boolean }>();
    const create = json === true ? createJsonRenderer : createHumanRenderer;
    return {
      io,
      interrupted,
      out: create(io.stdout, io.stderr),
      dataFolder: dataFolderOf(io, data),
      // Some terminals do not know their width, and say 0.
      width: io.stdout.isTTY === true ? io.stdout.columns || undefined : undefined,
    };
  };
  return {
    get exitCode() {
      return exitCode;
    },
    tools,
    async run(command, verb) {
      exitCode = (await verb(tools(command))) ?? 0;
    },
    async connected(command, verb) {
      const mine = tools(command);
      const runtime = await runningRuntime(mine.dataFolder);
      const connection = await connect(runtime, { signal: interrupted });
      // Who asks for it in a terminal means it.
      const approved = withPackages(connection, () => Promise.resolve(true));
      const call = <N extends OperationName>(
        name: N,
        params: Params<N>,
        options?: CallOptions,
      ): Promise<Result<N>> =>
        approved(name, params, {
          signal: interrupted,
          progress: (message) => mine.out.progress(message),
          ...options,
        });
      try {
        exitCode = (await verb({ ...mine, runtime, call })) ?? 0;
      } finally {
        connection.close();
      }
    },
  };
}

async function runningRuntime(dataFolder: string): Promise<RuntimeFile> {
  const runtime = await findRuntime(dataFolder);
  if (runtime !== undefined) return runtime;
  throw new WeirError(
    'runtime_unavailable',
    `No runtime is running for ${dataFolder}. Start one with "weir serve", or open the folder in VS Code with the Weir extension; --data names another data folder.`,
  );
}
