/** The npm package of the command line, packed and installed, run by a Node of one's choice. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { npm } from '../../../scripts/npm.mts';
import { packageCli } from '../../../scripts/package/cli.mts';

/** Packs the command line and installs the tarball, with nothing beside it, into an empty folder. */
export async function installCli(folder: string): Promise<void> {
  const { file } = await packageCli(folder);
  await writeFile(join(folder, 'package.json'), '{"private": true}\n');
  await npm(folder, ['install', '--prefer-offline', file]);
}

/**
 * A Node of another version, from npm, kept in .cache/.
 * @returns its program
 */
export async function nodeOf(version: string): Promise<string> {
  if (process.versions.node === version) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = resolve('.cache', 'node', version);
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private": true}\n');
  // Its binary is in the package; `node` itself would fetch it in an install script.
  await npm(folder, ['install', '--prefer-offline', `${name}@${version}`]);
  return program;
}

/** An installed command line and the Node it runs on. */
export class InstalledCli {
  readonly #node: string;
  readonly #folder: string;
  readonly #home: string;

  /**
   * @param node the program
   * @param folder where the package is installed
   * @param home an empty folder: it works there, and its settings stay there
   */
  constructor(node: string, folder: string, home: string) {
    this.#node = node;
    this.#folder = folder;
    this.#home = home;
  }

  /** @returns what it printed @throws Error when it fails, with what it said */
  async run(...args: readonly string[]): Promise<string> {
    const { env, command } = this.#call(args);
    const options = { cwd: this.#home, env, timeout: 60_000 };
    return (await promisify(execFile)(this.#node, command, options)).stdout;
  }

  /** Starts a command that goes on. Whoever starts it ends it. */
  start(...args: readonly string[]): ChildProcess {
    const { env, command } = this.#call(args);
    return spawn(this.#node, command, { cwd: this.#home, env, stdio: 'pipe' });
  }

  /** What starts a command, for who starts it in a way of his own. */
  call(...args: readonly string[]) {
    const { env, command } = this.#call(args);
    return {
      command: this.#node,
      args: command,
      cwd: this.#home,
      env: env as Record<string, string>,
    };
  }

  #call(args: readonly string[]): { env: NodeJS.ProcessEnv; command: string[] } {
    const env: NodeJS.ProcessEnv = { ...process.env, XDG_CONFIG_HOME: join(this.#home, 'config') };
    for (const name of ['WEIR_DATA', 'WEIR_KEY', 'NODE_OPTIONS']) delete env[name];
    return { env, command: [join(this.#folder, 'node_modules', '.bin', 'weir'), ...args] };
  }
}
