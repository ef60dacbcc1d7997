/** Which files of a project a deployment needs on another machine. */
import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { definitionBeside } from '../../protocol/app-files.ts';
import { WeirError } from '../../protocol/errors.ts';

export interface ProjectFiles {
  /** Absolute. */
  readonly files: readonly string[];
  /** Absolute; these go as they are, so that what is no longer in them goes there, too. */
  readonly folders: readonly string[];
}

/**
 * A component with what it imports, or the whole folder of a workflow with what its steps import from elsewhere; in both cases with
 * the definitions beside files of apps, and the package.json and lock files that stand above them. Packages are not among them: the runtime installs them.
 * @param root the project's folder
 * @param entry a component's file, a workflow's folder or its workflow.yaml; absolute
 * @throws WeirError `bad_input` when one of the files is outside of the project
 */
export async function projectFiles(root: string, entry: string): Promise<ProjectFiles> {
  const folder = await workflowFolder(entry);
  const own = folder === undefined ? [entry] : await filesOf(folder);
  const code = folder === undefined ? own : [...own, ...(await usedElsewhere(folder, own))];
  const all = new Set([...code, ...(await importedBy(code.filter(isScript)))]);
  const outside = [...all].find((file) => !isInside(root, file));
  if (outside !== undefined) {
    throw new WeirError(
      'bad_input',
      `${path.relative(root, outside)} is outside of ${root}: another machine gets files of the workspace folder only. Move it there, or open the folder that holds both.`,
    );
  }
  const beside = [...all].flatMap((file) => definitionBeside(file) ?? []);
  for (const file of beside) if (await exists(file)) all.add(file);
  for (const manifest of await manifestsAbove(root, [...all])) all.add(manifest);
  return { files: [...all].sort(), folders: folder === undefined ? [] : [folder] };
}

/** Undefined for the file of a component. */
async function workflowFolder(entry: string): Promise<string | undefined> {
  if (path.basename(entry) === 'workflow.yaml') return path.dirname(entry);
  const found = await stat(entry).catch((error: NodeJS.ErrnoException) => {
    throw new WeirError('bad_input', `${entry} cannot be read (${error.code ?? error.message}).`);
  });
  return found.isDirectory() ? entry : undefined;
}

/** Hidden files may hold secrets; of them Weir knows one. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(folder, entry.name);
      if (entry.name.startsWith('.') && entry.name !== '.workflow.state') return [];
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(file);
      return entry.isFile() ? [file] : [];
    }),
  );
  return found.flat();
}

/** Code that a workflow's file names outside of its folder. */
async function usedElsewhere(folder: string, own: readonly string[]): Promise<string[]> {
  const text = await readFile(path.join(folder, 'workflow.yaml'), 'utf8');
  const named = [...text.matchAll(/\buses:\s*["']?(\.\.?\/[^"'\s,}#]+)/g)].map(([, file = '']) =>
    path.resolve(folder, file),
  );
  const there = await Promise.all(named.map(exists));
  // The runtime reports missing files better, with their place in the code.
  return named.filter((file, at) => there[at] === true && !own.includes(file));
}

/** Files that these import, directly or not, also when one of them does not compile. */
async function importedBy(entries: readonly string[]): Promise<ReadonlySet<string>> {
  const read = new Set<string>();
  if (entries.length === 0) return read;
  const esbuild = await import('esbuild');
  await esbuild
    .build({
      entryPoints: [...entries],
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      write: false,
      outdir: path.parse(entries[0] ?? '').root,
      logLevel: 'silent',
      tsconfigRaw: {},
      plugins: [
        {
          name: 'files',
          setup(build) {
            build.onLoad({ filter: /.*/, namespace: 'file' }, ({ path: file }) => {
              read.add(file);
              return undefined;
            });
          },
        },
      ],
    })
    // The runtime builds them as well, and says what is wrong.
    .catch(() => undefined);
  return read;
}

const manifests = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
] as const;

async function manifestsAbove(root: string, files: readonly string[]): Promise<string[]> {
  const folders = new Set<string>();
  for (const file of files) {
    let folder = path.dirname(file);
    while (isInside(root, folder) || folder === root) {
      if (folders.has(folder)) break;
      folders.add(folder);
      folder = path.dirname(folder);
    }
  }
  const possible = [...folders].flatMap((folder) =>
    manifests.map((name) => path.join(folder, name)),
  );
  const there = await Promise.all(possible.map(exists));
  return possible.filter((_, at) => there[at] === true);
}

function isScript(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
