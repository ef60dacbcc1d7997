/** Steps in Python and Bash: their file becomes the text of a component that runs it. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WeirError } from '../../../protocol/errors.ts';
import { pythonEnvironment, type PythonOptions } from './python-environment.ts';

const run = promisify(execFile);

export interface ScriptOptions extends PythonOptions {
  /** Folder of the built files, which has the parts of a script's component. */
  readonly dist: string;
}

export interface ScriptRequest {
  readonly language: 'python' | 'bash';
  /** Absolute path. */
  readonly path: string;
  /** Props that the file declares for it (`__configurableProps`). */
  readonly configurableProps: unknown;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
  /** False: packages that are missing may not be installed. */
  readonly install: boolean | undefined;
}

/**
 * Text of the component of a script.
 * @throws WeirError `bad_input` when the file, its interpreter or a package is missing, with what to do;
 *   `bad_component` for a Python file that does not compile, `packages_needed`, `cancelled`
 */
export async function scriptCode(options: ScriptOptions, request: ScriptRequest): Promise<string> {
  const { language, path, configurableProps } = request;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'There is no file' : 'This file cannot be read:';
    throw new WeirError('bad_input', `${why} ${path}.`, undefined, error);
  });
  const code = text.replace(/^\uFEFF/, '');
  const found =
    language === 'python'
      ? await pythonEnvironment(options, { ...request, code })
      : { program: await bash(), modules: {} };
  const script = { language, file: path, code, ...found, props: propsOf(configurableProps) };
  const from = JSON.stringify(join(options.dist, 'script-step.js'));
  return `import { scriptStep } from ${from};\nexport default scriptStep(${JSON.stringify(script)});\n`;
}

async function bash(): Promise<string> {
  try {
    // As it is now: a variable PATH of the steps does not decide about it.
    const { stdout } = await run('bash', ['-c', 'printf %s "$BASH"']);
    return stdout === '' ? 'bash' : stdout;
  } catch (error) {
    throw new WeirError(
      'bad_input',
      'Steps in Bash need bash on the PATH: install it, or write the step in another language.',
      undefined,
      error,
    );
  }
}

function propsOf(given: unknown): Record<string, unknown> {
  if (!Array.isArray(given)) return {};
  const props: Record<string, unknown> = {};
  for (const one of given as unknown[]) {
    if (typeof one !== 'object' || one === null) continue;
    const { name, ...prop } = one as Record<string, unknown>;
    if (typeof name === 'string') props[name] = prop;
  }
  return props;
}
