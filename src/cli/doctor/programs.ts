/** The programs: the runtime of the data folder, Node, npm and esbuild. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { connect } from '../../client/connection.ts';
import { findRuntime, readRuntimeFile, runtimeFilePath } from '../../client/runtime-file.ts';
import { messageOf } from '../../protocol/errors.ts';
import { bad, type Check, ok, warning } from './check.ts';

export async function checkRuntime(folder: string): Promise<Check> {
  const name = 'runtime';
  try {
    const runtime = await findRuntime(folder);
    if (runtime !== undefined) {
      const connection = await connect(runtime);
      const info = await connection.call('runtime.info', {}).finally(() => connection.close());
      return ok(name, `Weir ${info.version} at ${info.url}, pid ${info.pid}.`);
    }
    if ((await readRuntimeFile(folder)) === undefined) return ok(name, 'None is running.');
    const left = `${runtimeFilePath(folder)} names one that does not answer.`;
    return warning(name, left, 'It was cut off; "weir serve" starts another and goes on.');
  } catch (error) {
    return bad(name, messageOf(error), 'Stop it and start it again.');
  }
}

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 18)) return ok('Node.js', version);
  return bad('Node.js', `${version} is too old.`, 'Install 20.18 or newer.');
}

export async function checkNpm(env: NodeJS.ProcessEnv): Promise<Check> {
  const name = 'npm';
  try {
    // On Windows npm is a script, which only a shell starts; nothing of ours goes through it.
    const shell = process.platform === 'win32';
    const { stdout } = await promisify(execFile)('npm', ['--version'], { env, shell });
    return ok(name, stdout.trim());
  } catch {
    const advice =
      'Install it with Node.js, or set weir.npm.path, to use components that import packages.';
    return warning(name, 'There is no npm on the PATH.', advice);
  }
}

/** Its binary is the one part that depends on the machine: a copied node_modules may have another's. */
export async function checkEsbuild(): Promise<Check> {
  const name = 'esbuild';
  try {
    const { transform, stop, version } = await import('esbuild');
    try {
      await transform('1');
    } finally {
      await stop();
    }
    return ok(name, version);
  } catch (error) {
    const [first = ''] = messageOf(error).split('\n');
    return bad(
      name,
      first,
      'Install Weir again on this machine; without it nothing can be deployed.',
    );
  }
}
