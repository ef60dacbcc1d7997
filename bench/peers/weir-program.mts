import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startRuntime } from '../../src/client/start.ts';
import { startProgram } from '../harness/program.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { type Call, client } from './weir.mts';

export interface WeirProgram {
  readonly pid: number;
  readonly url: string;
  readonly apiKey: string;
  /** REST: throws for an answer that is no success. */
  readonly call: Call;
  stop(): Promise<void>;
}

export interface WeirProgramOptions {
  /** Folder of the build. */
  readonly dist: string;
  /** Folder that gets a CPU profile of the runtime. */
  readonly profile?: string | undefined;
}

/** `weir serve` on a new data folder; retention is out of the way, so that every row can be counted. */
export async function startWeir({ dist, profile }: WeirProgramOptions): Promise<WeirProgram> {
  const folder = await temporaryFolder();
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const settings = ['--set', 'retention.events=1e9', '--set', 'retention.megabytes=1e6'];
  const program = await startProgram(
    [...profiling, join(dist, 'cli.js'), 'serve', '--data', folder.path, ...settings],
    // The encryption key stays out of the home of whoever measures.
    { XDG_CONFIG_HOME: folder.path },
  );
  const { apiKey } = JSON.parse(await readFile(join(folder.path, 'runtime.json'), 'utf8')) as {
    apiKey: string;
  };
  return {
    pid: program.pid,
    url: program.url,
    apiKey,
    call: await client(folder.path),
    async stop() {
      await program.stop();
      await folder.remove();
    },
  };
}

/** The runtime as a program of its own, as the editor starts it. */
export async function startAsEditor(dist: string): Promise<WeirProgram> {
  const folder = await temporaryFolder();
  const { url, pid, apiKey } = await startRuntime({
    runtimeFile: join(dist, 'runtime.js'),
    dataFolder: folder.path,
    execPath: process.execPath,
    env: { ...process.env, XDG_CONFIG_HOME: folder.path },
  });
  return {
    pid,
    url,
    apiKey,
    call: await client(folder.path),
    async stop() {
      process.kill(pid, 'SIGTERM');
      await ended(pid);
      await folder.remove();
    },
  };
}

/** It is not our child any more once it serves. */
async function ended(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await pause(20);
  }
}
