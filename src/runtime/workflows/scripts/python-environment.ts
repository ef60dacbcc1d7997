/** The interpreter of a Python step: the one on the PATH, or a virtual environment with the packages it imports. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WeirError } from '../../../protocol/errors.ts';
import { packageOf } from './python-packages.ts';

const run = promisify(execFile);

export interface PythonOptions {
  /** `<data>/packages`: environments lie below it. */
  readonly packagesFolder: string;
  /** `never`: nothing is installed; `ask`: only when the request says so. */
  readonly installPolicy: 'ask' | 'always' | 'never';
}

export interface PythonRequest {
  readonly path: string;
  readonly code: string;
  readonly install: boolean | undefined;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

const names = ['python3', 'python'];

/** Prints what a file imports that is neither the standard library nor beside it, or where it does not compile. */
const inspectSource = `
import ast, json, os, sys
code = sys.stdin.read()
path = sys.argv[1]
if sys.version_info < (3, 9):
    print(json.dumps({"old": sys.version.split()[0]})); sys.exit()
try:
    tree = ast.parse(code, path)
except SyntaxError as error:
    print(json.dumps({"wrong": error.msg, "line": error.lineno, "column": (error.offset or 1) - 1})); sys.exit()
found = set()
for node in ast.walk(tree):
    if isinstance(node, ast.Import):
        found.update(one.name.split(".")[0] for one in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        found.add(node.module.split(".")[0])
standard = getattr(sys, "stdlib_module_names", None)
if standard is None:
    import sysconfig
    lib = sysconfig.get_paths()["stdlib"]
    standard = set(sys.builtin_module_names) | {one.split(".")[0] for one in os.listdir(lib)} | {one.split(".")[0] for one in os.listdir(os.path.join(lib, "lib-dynload"))} if os.path.isdir(os.path.join(lib, "lib-dynload")) else set()
beside = {one[:-3] if one.endswith(".py") else one for one in os.listdir(os.path.dirname(path))}
print(json.dumps({"imports": sorted(found - set(standard) - beside), "version": "%d.%d" % sys.version_info[:2]}))
`;

interface Inspected {
  readonly old?: string;
  readonly wrong?: string;
  readonly line?: number;
  readonly column?: number;
  readonly imports?: readonly string[];
  readonly version?: string;
}

/** @returns the program that runs the file */
export async function pythonEnvironment(
  options: PythonOptions,
  request: PythonRequest,
): Promise<string> {
  const python = await findPython();
  const found = await inspect(python, request);
  if (found.old !== undefined) {
    throw new WeirError(
      'bad_input',
      `Steps in Python need Python 3.9 or later; the one on the PATH is ${found.old}.`,
    );
  }
  if (found.wrong !== undefined) {
    const { line = 1, column = 0 } = found;
    const message = `${found.wrong} (${request.path}:${line})`;
    throw new WeirError('bad_component', message, [{ file: request.path, line, column, message }]);
  }
  const asked = [...request.code.matchAll(/^\s*#\s*pipedream add-package\s+(\S+)/gm)].flatMap(
    ([, name]) => (name === undefined ? [] : [name]),
  );
  const wanted = requirements(found.imports ?? [], asked);
  if (wanted.length === 0) return python;
  return withPackages(options, request, python, found.version ?? '3', wanted);
}

async function findPython(): Promise<string> {
  for (const name of names) {
    const works = await run(name, ['-c', 'import sys; assert sys.version_info[0] == 3']).then(
      () => true,
      () => false,
    );
    if (works) return name;
  }
  throw new WeirError(
    'bad_input',
    'Steps in Python need python3 on the PATH (3.9 or later): install it, or disable the step.',
  );
}

async function inspect(python: string, { path, code, signal }: PythonRequest): Promise<Inspected> {
  const asked = run(python, ['-c', inspectSource, path], { signal });
  asked.child.stdin?.end(code);
  const { stdout } = await asked;
  return JSON.parse(stdout) as Inspected;
}

/** A package that is asked for by name stands in for the import of that name. */
function requirements(imports: readonly string[], asked: readonly string[]): string[] {
  const bare = (name: string): string =>
    (/^[\w.-]+/.exec(name)?.[0] ?? name).toLowerCase().replaceAll(/[-_.]+/g, '-');
  const named = new Set(asked.map(bare));
  const needed = imports.map(packageOf).filter((name) => !named.has(bare(name)));
  return [...new Set([...needed, ...asked])].sort();
}

async function withPackages(
  { packagesFolder, installPolicy }: PythonOptions,
  { install, signal, progress }: PythonRequest,
  python: string,
  version: string,
  wanted: readonly string[],
): Promise<string> {
  const hash = createHash('sha256')
    .update(`${version}\n${wanted.join('\n')}`)
    .digest('hex');
  const parent = join(packagesFolder, 'python');
  const folder = join(parent, hash.slice(0, 24));
  const program = join(folder, ...inside);
  if (await isThere(program)) return program;
  if (
    install === false ||
    installPolicy === 'never' ||
    (installPolicy === 'ask' && install !== true)
  ) {
    throw new WeirError(
      'packages_needed',
      `These Python packages are needed: ${wanted.join(', ')}.`,
      wanted.map((name) => ({ message: name })),
    );
  }
  progress(`Installing ${wanted.join(', ')} (Python)`);
  await mkdir(parent, { recursive: true });
  // Whole or not there; its python finds itself wherever it is moved.
  await rm(folder, { recursive: true, force: true });
  const making = `${folder}.${process.pid}`;
  try {
    await venv(python, making, signal);
    await pip(join(making, ...inside), wanted, signal);
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    if (signal.aborted) throw new WeirError('cancelled', 'The installation was cancelled.');
    throw error;
  }
  return program;
}

const inside = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];

async function venv(python: string, folder: string, signal: AbortSignal): Promise<void> {
  try {
    await run(python, ['-m', 'venv', folder], { signal });
  } catch (error) {
    throw new WeirError(
      'bad_input',
      `Python cannot make a virtual environment: install its venv module (Debian: python3-venv). ${lastLine(error)}`,
      undefined,
      error,
    );
  }
}

/** With the user's own settings: an index of the company, a proxy. */
async function pip(python: string, wanted: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    const quiet = ['--disable-pip-version-check', '--no-input', '--quiet'];
    await run(python, ['-m', 'pip', 'install', ...quiet, ...wanted], { signal });
  } catch (error) {
    throw new WeirError(
      'bad_input',
      `pip could not install ${wanted.join(', ')}: ${lastLine(error)} A package with another name than its module is named by a comment "# pipedream add-package NAME".`,
      undefined,
      error,
    );
  }
}

function lastLine(error: unknown): string {
  const { stderr } = error as { readonly stderr?: string };
  return (
    stderr
      ?.trim()
      .split('\n')
      .findLast((line) => line.startsWith('ERROR')) ??
    stderr?.trim().split('\n').at(-1) ??
    ''
  );
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
