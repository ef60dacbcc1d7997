import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';

const program = join(import.meta.dirname, 'loaded.mjs');

/** The least a deploy could be: esbuild bundles the file, and a process imports the bundle. */
export async function bareDeploy(file: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    sourcemap: 'linked',
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
  });
  await bareStart(outfile);
}

/** A process that imports a bundle; it is ended when it has. */
export async function bareStart(bundle: string): Promise<void> {
  const child = fork(program, [bundle], { serialization: 'advanced', stdio: 'ignore' });
  const exited = once(child, 'exit');
  const loaded = await Promise.race([once(child, 'message'), exited.then(() => undefined)]);
  child.kill('SIGKILL');
  if (loaded === undefined) throw new Error(`A process could not import ${bundle}.`);
}
