/** The interpreter of a Python step: the one on the PATH, or a virtual environment with the packages it imports. */
import { join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { inside, lastLine, namesOf, pipInstall, run, type Wanted } from './python-install.ts';
import { packageOf } from './python-packages.ts';
import { hashOf, isThere, makeEnvironment, makeOnce } from './python-venvs.ts';

export interface PythonOptions {
  /**
   * `<data>/packages`: environments are below it in `python`, and the one that each is copied from in `bare-python`.
   */
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

/**
 * Prints what a file, and what it imports from beside it, imports that is not in the standard library, and the
 * text of what lies beside it; or where it does not compile.
 */
const inspectSource = `
import json, os, sys
sys.path[0:1] = []
path = sys.argv[1]
folder = os.path.dirname(path)
if sys.version_info < (3, 9):
    print(json.dumps({"old": sys.version.split()[0]})); sys.exit()
import ast
def parsed(code, path):
    return ast.parse(code, path)
try:
    tree = parsed(sys.stdin.buffer.read().decode("utf-8"), path)
    compile(tree, path, "exec")
except SyntaxError as error:
    print(json.dumps({"wrong": error.msg, "line": error.lineno, "column": max((error.offset or 1) - 1, 0)})); sys.exit()
except ValueError as error:
    print(json.dumps({"wrong": str(error), "line": 1, "column": 0})); sys.exit()
except (RecursionError, MemoryError) as error:
    print(json.dumps({"wrong": type(error).__name__, "line": 1, "column": 0})); sys.exit()
def imports(tree, package):
    # The module, and what is taken out of it, which may be modules too.
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield one.name, []
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            name = ".".join([one for one in above if one] + ([node.module] if node.module else []))
            yield name, [one.name for one in node.names]
def beside(name):
    path = os.path.join(folder, *name.split("."))
    for file, is_package in ((os.path.join(path, "__init__.py"), True), (path + ".py", False)):
        if os.path.isfile(file):
            return file, is_package
found = set()
modules = {}
waiting = [(tree, "")]
def take(name):
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        one = ".".join(parts[:end])
        where = None if one in modules else beside(one)
        if where is None:
            continue
        file, is_package = where
        try:
            with open(file, encoding="utf-8-sig") as opened:
                code = opened.read()
        except (OSError, ValueError):
            continue
        modules[one] = {"file": file, "code": code, "package": is_package}
        try:
            waiting.append((parsed(code, file), one if is_package else one.rpartition(".")[0]))
        except (ValueError, SyntaxError):
            # Whoever imports it hears of it.
            pass
while waiting:
    for name, taken in imports(*waiting.pop()):
        root = name.split(".")[0]
        if not root or beside(root) or os.path.isdir(os.path.join(folder, root)):
            for one in [name] + [(name + "." + each).lstrip(".") for each in taken]:
                if one:
                    take(one)
        elif name in ("google", "google.cloud"):
            found.update([name] if not taken else [name + "." + one for one in taken])
        else:
            found.add(name)
standard = getattr(sys, "stdlib_module_names", None)
if standard is None:
    import sysconfig
    lib = sysconfig.get_paths()["stdlib"]
    dynamic = os.path.join(lib, "lib-dynload")
    standard = set(sys.builtin_module_names) | {one.split(".")[0] for one in os.listdir(lib)}
    if os.path.isdir(dynamic):
        standard |= {one.split(".")[0] for one in os.listdir(dynamic)}
# The old names of the platform itself.
found.discard("pipedream.script_helpers")
print(json.dumps({"imports": sorted(one for one in found if one.split(".")[0] not in standard), "modules": modules, "version": "%d.%d" % sys.version_info[:2]}))
`;

/** The modules beside a file that it imports, by name, as deployed. */
export type PythonModules = Readonly<
  Record<string, { readonly file: string; readonly code: string; readonly package: boolean }>
>;

export interface PythonFound {
  /** That runs the file. */
  readonly program: string;
  readonly modules: PythonModules;
}

interface Inspected {
  readonly old?: string;
  readonly wrong?: string;
  readonly line?: number;
  readonly column?: number;
  readonly imports?: readonly string[];
  readonly modules?: PythonModules;
  readonly version?: string;
}

/**
 * @throws WeirError `bad_input` for an interpreter that is missing or too old, `bad_component` for a file that does
 *   not compile, `packages_needed`, `cancelled`
 */
export async function pythonEnvironment(
  options: PythonOptions,
  request: PythonRequest,
): Promise<PythonFound> {
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
  const asked = askedFor(request);
  const wanted = requirements(found.imports ?? [], asked);
  const { modules = {} } = found;
  if (namesOf(wanted).length === 0) return { program: python, modules };
  const version = found.version ?? '3';
  return { program: await withPackages(options, request, python, version, wanted), modules };
}

/** @returns its own path: a version manager's stand-in starts more slowly, and looks at the working directory */
async function findPython(): Promise<string> {
  const where = 'import sys; assert sys.version_info[0] == 3; print(sys.executable)';
  for (const name of names) {
    const path = await run(name, ['-c', where]).then(
      ({ stdout }) => stdout.trim() || name,
      () => undefined,
    );
    if (path !== undefined) return path;
  }
  throw new WeirError(
    'bad_input',
    'Steps in Python need python3 on the PATH (3.9 or later): install it, or disable the step.',
  );
}

async function inspect(python: string, { path, code, signal }: PythonRequest): Promise<Inspected> {
  const asked = run(python, ['-c', inspectSource, path], { signal });
  asked.child.stdin?.on('error', () => undefined).end(code);
  try {
    return JSON.parse((await asked).stdout) as Inspected;
  } catch (error) {
    if (signal.aborted) throw new WeirError('cancelled', 'The deploy was cancelled.');
    throw new WeirError(
      'bad_input',
      `${python} could not read ${path}: ${lastLine(error)}`,
      undefined,
      error,
    );
  }
}

const requirement = /^[A-Za-z0-9][\w.-]*(?:\[[\w.,-]+\])?(?:[=<>!~]=?[\w.*+!,<>=~-]*)?$/;

/**
 * The names in the comments `# pipedream add-package NAME`.
 * @throws WeirError `bad_component` for an invalid name: pip would take an option, or code from elsewhere
 */
function askedFor({ code, path }: PythonRequest): string[] {
  return code.split('\n').flatMap((text, index) => {
    const named =
      /^\s*#\s*pipedream\s+add-package\s+(?:(?:python3? -m )?pip3? install )?(.+?)\s*$/.exec(
        text,
      )?.[1];
    if (named === undefined) return [];
    const name = named.replaceAll(/\s+(?=[=<>!~])|(?<=[=<>~])\s+/g, '').split(/\s/)[0] ?? '';
    if (requirement.test(name)) return [name];
    const message = `"${name}" is not the name of a package (${path}:${index + 1})`;
    throw new WeirError('bad_component', message, [
      { file: path, line: index + 1, column: 0, message },
    ]);
  });
}

/** A package that is requested by name replaces the import of that name. */
function requirements(imports: readonly string[], asked: readonly string[]): Wanted {
  const bare = (name: string): string =>
    (/^[\w.-]+/.exec(name)?.[0] ?? name).toLowerCase().replaceAll(/[-_.]+/g, '-');
  const named = new Set(asked.map(bare));
  const needed = imports.map((name): [string, string] => [name, packageOf(name)]);
  return { asked, guessed: new Map(needed.filter(([, name]) => !named.has(bare(name)))) };
}

/** Environments that could not be made, by the deploy that tried. */
const failed = new WeakMap<AbortSignal, Map<string, unknown>>();

async function withPackages(
  { packagesFolder, installPolicy }: PythonOptions,
  { install, signal, progress }: PythonRequest,
  python: string,
  version: string,
  wanted: Wanted,
): Promise<string> {
  const names = namesOf(wanted);
  const folder = join(packagesFolder, 'python', hashOf(`${version}\n${names.join('\n')}`));
  const program = join(folder, ...inside);
  if (await isThere(program)) return program;
  requireInstall(installPolicy, install, names);
  // If several steps need the same, the first one reports for all of a deploy.
  const failures = failed.get(signal) ?? new Map<string, unknown>();
  failed.set(signal, failures);
  await makeOnce(folder, signal, async () => {
    if (failures.has(folder)) throw failures.get(folder);
    progress(`Installing ${names.join(', ')} (Python)`);
    // By the version as well: an upgrade leaves another Python at the same path.
    const bare = join(packagesFolder, 'bare-python', hashOf(`${version}\n${python}`));
    await makeEnvironment(folder, { python, bare }, signal, (inIt) =>
      pipInstall(inIt, wanted, signal),
    );
  }).catch((error: unknown) => {
    failures.set(folder, error);
    throw error;
  });
  return program;
}

/** @throws WeirError `packages_needed` with a detail per package; `bad_input` under the policy `never` */
function requireInstall(
  policy: PythonOptions['installPolicy'],
  install: boolean | undefined,
  wanted: readonly string[],
): void {
  const named = wanted.join(', ');
  if (policy === 'never') {
    throw new WeirError(
      'bad_input',
      `The step needs the Python packages ${named}, and the setting packages.install is "never".`,
    );
  }
  if (install ?? policy === 'always') return;
  throw new WeirError(
    'packages_needed',
    `The step needs the Python packages ${named}, and nobody has said yet that Weir may install them; say so with "install": true.`,
    wanted.map((name) => ({ message: `${name} is not installed.`, package: `${name} (Python)` })),
  );
}
