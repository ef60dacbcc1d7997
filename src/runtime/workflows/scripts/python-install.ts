/** Virtual environments, and what pip installs into them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { WeirError } from '../../../protocol/errors.ts';

export const run = promisify(execFile);

/** The content of an environment. */
export interface Wanted {
  /** Named by the file itself. */
  readonly asked: readonly string[];
  /** By the module that is imported: its package, as far as the name tells. */
  readonly guessed: ReadonlyMap<string, string>;
}

/** Packages, each once. */
export const namesOf = ({ asked, guessed }: Wanted): string[] =>
  [...new Set([...guessed.values(), ...asked])].sort();

/** Limit for pip's output if it fails to build a package. */
const maxBuffer = 64 * 1024 * 1024;

/** The interpreter in an environment. */
export const inside = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];

export async function makeVenv(python: string, folder: string, signal: AbortSignal): Promise<void> {
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

/** Guessing a package from a module's name may be wrong, and unnecessary for packages that are requested by name. */
export async function pipInstall(
  python: string,
  { asked, guessed }: Wanted,
  signal: AbortSignal,
): Promise<void> {
  if (asked.length === 0) return pip(python, [...new Set(guessed.values())].sort(), signal);
  await pip(python, asked, signal);
  const missing = await notFound(python, [...guessed.keys()], signal);
  if (missing.length === 0) return;
  await pip(python, [...new Set(missing.map((name) => guessed.get(name) ?? name))].sort(), signal);
}

const findSource = `
import importlib.util, json, sys
def found(name):
    try:
        return importlib.util.find_spec(name) is not None
    except Exception:
        return False
print(json.dumps([name for name in json.loads(sys.argv[1]) if not found(name)]))
`;

/** The modules that are not there. */
async function notFound(
  python: string,
  modules: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  if (modules.length === 0) return [];
  const { stdout } = await run(python, ['-c', findSource, JSON.stringify(modules)], { signal });
  return JSON.parse(stdout) as string[];
}

/** With the user's own settings: an index of the company, a proxy. */
async function pip(python: string, wanted: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    const quiet = ['--disable-pip-version-check', '--no-input', '--quiet'];
    await run(python, ['-m', 'pip', 'install', ...quiet, ...wanted], { signal, maxBuffer });
  } catch (error) {
    throw new WeirError(
      'bad_input',
      `pip could not install ${wanted.join(', ')}: ${lastLine(error)}. ${whatToDo(error)}`,
      undefined,
      error,
    );
  }
}

/** The last line blames the package also where nobody was reached who could have it. */
function whatToDo(error: unknown): string {
  const { stderr = '' } = error as { readonly stderr?: string };
  return /\bRetrying \(|ConnectTimeout|NewConnectionError|ProxyError|name resolution/i.test(stderr)
    ? 'The package index was not reached: look at the network, and at the index-url and proxy of pip.'
    : 'A package with another name than its module is named by a comment "# pipedream add-package NAME".';
}

/** The last output line of a failed program. */
export function lastLine(error: unknown): string {
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
