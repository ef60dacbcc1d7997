/** esbuild, whose process gets of the runtime's environment what a component's process gets, and none of its secrets. */
import type * as Esbuild from 'esbuild';
import { hostEnvironment } from '../../processes/environment.ts';

/** Environment variables that esbuild and its language read. */
const kept = /^(?:ESBUILD_\w+|GO(?:MAXPROCS|GC|MEMLIMIT))$/;

/**
 * Calls esbuild.
 * @param call starts its process where none runs, before it returns: nothing else of the runtime sees the environment meanwhile
 */
export async function withEsbuild<T>(call: (esbuild: typeof Esbuild) => Promise<T>): Promise<T> {
  const esbuild = await import('esbuild');
  const whole = process.env;
  const own = Object.entries(whole).filter(([name]) => kept.test(name));
  process.env = { ...hostEnvironment(whole), ...Object.fromEntries(own) };
  try {
    return call(esbuild);
  } finally {
    process.env = whole;
  }
}
