import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { eachLine } from './lines.ts';
import type { Script, StepDollar } from './script.ts';

/**
 * Kills the whole group when fd 3 closes, which it does when the step's process ends, however it does: what a
 * script has started must not go on.
 */
const watched = `(cat <&3 >/dev/null 2>&1; kill -9 -- -$$) & exec 3<&-; exec "$0" "$1"`;

/**
 * Runs a script. What it appends to `$PIPEDREAM_EXPORTS` as `key=value` or `key:json=…` is exported. A code other
 * than 0 ends only this step: the workflow goes on, as on the platform.
 */
export async function runBash(
  { program, code, file }: Script,
  steps: Readonly<Record<string, unknown>>,
  $: StepDollar,
): Promise<undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-step-'));
  try {
    const [script, stepsFile, exportsFile] = ['script.sh', 'steps.json', 'exports'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await Promise.all([
      writeFile(script, code),
      writeFile(stepsFile, JSON.stringify(steps)),
      writeFile(exportsFile, ''),
    ]);
    const child = spawn(program, ['-c', watched, program, script], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PIPEDREAM_STEPS: stepsFile,
        PIPEDREAM_EXPORTS: exportsFile,
      },
    });
    const [, stdout, stderr] = child.stdio as readonly unknown[] as [null, Readable, Readable];
    const printed = [
      eachLine(stdout, (line) => console.log(line)),
      eachLine(stderr, (line) => console.error(line)),
    ];
    const how = await new Promise<string | undefined>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (exitCode, signal) => {
        // What it left running in the background keeps its pipes open.
        try {
          process.kill(-(child.pid ?? 0), 'SIGKILL');
        } catch {
          // The group is gone already.
        }
        if (signal !== null) resolve(`was ended by ${signal}`);
        else resolve(exitCode === 0 ? undefined : `exited with code ${exitCode}`);
      });
    });
    await Promise.all(printed);
    if (how !== undefined) console.warn(`${file} ${how}; the workflow goes on.`);
    for (const [name, value] of readExports(await readFile(exportsFile, 'utf8'))) {
      $.export(name, value);
    }
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws SyntaxError naming the export that is not JSON */
export function readExports(text: string): [name: string, value: unknown][] {
  return text.split('\n').flatMap((line): [string, unknown][] => {
    const at = line.indexOf('=');
    if (at < 1) return [];
    const [key, value] = [line.slice(0, at), line.slice(at + 1)];
    if (!key.endsWith(':json')) return [[key, value]];
    const name = key.slice(0, -':json'.length);
    try {
      return [[name, JSON.parse(value)]];
    } catch (error) {
      throw new SyntaxError(`The export ${name} is not JSON: ${(error as Error).message}`);
    }
  });
}
