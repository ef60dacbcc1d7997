/** esbuild, whose process gets of the runtime's environment what a component's process gets, and none of its secrets. */
import { hostEnvironment } from '../../processes/environment.ts';

type Esbuild = typeof import('esbuild');

/** Of the names that esbuild and its language look at. */
const kept = /^(?:ESBUILD_\w+|GO(?:MAXPROCS|GC|MEMLIMIT))$/;

/**
 * Calls esbuild.
 * @param call starts its process where none runs, before it returns: nothing else of the runtime sees the environment meanwhile
 */
export async function withEsbuild<T>(call: (esbuild: Esbuild) => Promise<T>): Promise<T> {
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
