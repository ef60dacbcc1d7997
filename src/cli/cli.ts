/** The tools of every verb: its output, its data folder, its runtime, its exit code. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type CallOptions, type Caller, connect } from '../client/connection.ts';
import { withPackages } from '../client/with-packages.ts';
import { answeringRuntime } from '../client/runtime-file.ts';
import type { OperationName, Params, Result } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import type { RuntimeFile } from '../protocol/rpc.ts';
import type { Io } from './io.ts';
import { createHumanRenderer, createJsonRenderer, type Renderer } from './render/renderer.ts';

export interface Tools {
  readonly io: Io;
  readonly out: Renderer;
  readonly dataFolder: string;
  /** Aborted by Ctrl-C and by the terminal going away. */
  readonly interrupted: AbortSignal;
  /** Width for tables; undefined when the output goes to a file. */
  readonly width: number | undefined;
}

/** With a connection to the runtime. Its `call` shows progress and is cancelled by Ctrl-C. */
export interface ConnectedTools extends Tools, Caller {
  readonly runtime: RuntimeFile;
}

/** 0 done, 1 failed, 2 wrong usage or a wrong value. A verb that returns nothing has done its work. */
export type ExitCode = 0 | 1 | 2;

export interface Cli {
  readonly exitCode: ExitCode;
  tools(command: Command): Tools;
  /** Runs a verb that needs no runtime. */
  run(command: Command, verb: (tools: Tools) => Promise<ExitCode | void>): Promise<void>;
  /** Runs a verb with the runtime of the data folder. Throws `runtime_unavailable` without one. */
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
      const runtime = await requireRuntime(mine.dataFolder);
      const connection = await connect(runtime, { signal: interrupted });
      // By typing the command, a person agrees to install the packages that it needs.
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
        }).finally(() => mine.out.endProgress());
      try {
        exitCode = (await verb({ ...mine, runtime, call })) ?? 0;
      } finally {
        connection.close();
      }
    },
  };
}

/** `--data`, else `WEIR_DATA`, else `.weir` in the working directory. */
export function dataFolderOf(io: Pick<Io, 'env' | 'cwd'>, option: string | undefined): string {
  const environment = io.env['WEIR_DATA'] ?? '';
  if (option !== undefined) return resolve(io.cwd, option);
  return environment === '' ? join(io.cwd, '.weir') : resolve(io.cwd, environment);
}

async function requireRuntime(dataFolder: string): Promise<RuntimeFile> {
  const runtime = await answeringRuntime(dataFolder);
  if (runtime !== undefined) return runtime;
  throw new WeirError(
    'runtime_unavailable',
    `No runtime is running for ${dataFolder}. Start one with "weir serve", or open the folder in VS Code with the Weir extension; --data names another data folder.`,
  );
}
