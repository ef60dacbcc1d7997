import path from 'node:path';
import { WeirError } from '../../protocol/errors.ts';

export interface VariableContext {
  /** File of the active editor. */
  readonly file: string | undefined;
  /** Folder of the launch configuration. */
  readonly workspaceFolder: string | undefined;
  /** All of the window, by name. */
  readonly folders: Readonly<Record<string, string>>;
}

/**
 * Replaces the variables of a launch configuration that name files. VS Code would replace them only
 * after we have told it which debugger to use, and for that we need the file.
 * Throws `bad_input` for any other variable, or when there is no such file.
 */
export function substitute(text: string, context: VariableContext): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (variable, name: string) => {
    const value = valueOf(name, context);
    if (value !== undefined) return value;
    const known = 'file, fileDirname, workspaceFolder and workspaceFolder:NAME';
    throw new WeirError(
      'bad_input',
      name.startsWith('file')
        ? `${variable} needs a file in the active editor.`
        : `${variable} cannot be used in a "weir" launch configuration; ${known} can.`,
    );
  });
}

function valueOf(name: string, context: VariableContext): string | undefined {
  const { file, workspaceFolder, folders } = context;
  if (name === 'file') return file;
  if (name === 'fileDirname') return file === undefined ? undefined : path.dirname(file);
  if (name === 'workspaceFolder') return workspaceFolder;
  return name.startsWith('workspaceFolder:') ? folders[name.slice(16)] : undefined;
}
