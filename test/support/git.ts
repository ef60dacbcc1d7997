/** A real git repository, as others publish components in one. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TestRepository {
  /** `file://` URL of the bare repository. */
  readonly url: string;
  /** Absolute path of the bare repository. */
  readonly bare: string;
  /** Absolute path of the working copy. */
  readonly work: string;
  /** Writes these files (null removes one), commits and pushes them. @returns the commit */
  readonly commit: (files: Readonly<Record<string, string | null>>) => Promise<string>;
  /** Git in the working copy. */
  readonly git: (...args: readonly string[]) => Promise<string>;
}

/** @param folder gets the bare repository `name.git` and a working copy */
export async function gitRepository(folder: string, name: string): Promise<TestRepository> {
  const bare = join(folder, `${name}.git`);
  const work = join(folder, `${name}-work`);
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.test',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.test',
  };
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run('git', ['-C', work, ...args], { env })).stdout.trim();
  await mkdir(work, { recursive: true });
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare], { env });
  await run('git', ['-C', bare, 'config', 'uploadpack.allowFilter', 'true'], { env });
  await run('git', ['-C', bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true'], { env });
  await git('init', '--quiet', '--initial-branch=main');
  await git('remote', 'add', 'origin', bare);
  return {
    url: `file://${bare}`,
    bare,
    work,
    git,
    async commit(files) {
      for (const [path, text] of Object.entries(files)) {
        const file = join(work, path);
        await mkdir(dirname(file), { recursive: true });
        await (text === null ? rm(file) : writeFile(file, text));
      }
      await git('add', '--all');
      await git('commit', '--quiet', '--allow-empty', '-m', 'Change');
      await git('push', '--quiet', 'origin', 'HEAD');
      return git('rev-parse', 'HEAD');
    },
  };
}
