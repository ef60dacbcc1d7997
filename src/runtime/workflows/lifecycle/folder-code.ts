/** The folder of a workflow as it is now: its file, the code of its steps, and what a person should know of them. */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ErrorDetail, WeirError } from '../../../protocol/errors.ts';
import type { Diagnostic, WorkflowDefinition } from '../../../protocol/workflow.ts';
import type { TaskContext } from '../../components/load.ts';
import { readWorkflow } from '../file/read.ts';
import { stepCodeOf } from '../file/uses.ts';
import { namedIn } from './files-named.ts';
import { type ResponseOptions, withResponse } from './http-response.ts';
import { literalTmp } from './literal-tmp.ts';
import {
  actionsOf,
  type ResolvedComponents,
  type ResolveOptions,
  resolveSteps,
  workflowFile,
} from './resolve-steps.ts';
import { withPropSets } from './step-props.ts';

export interface FolderCodeOptions
  extends Omit<ResolveOptions, 'warn'>, Pick<ResponseOptions, 'components'> {}

export interface FolderRequest {
  /** Absolute path of the folder, or of its `workflow.yaml`. */
  readonly workflow_path: string;
  readonly install?: boolean | undefined;
}

/** Something that does not keep a workflow from running. */
export interface FolderWarning extends ErrorDetail {
  readonly severity: 'warning' | 'info';
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface FolderCode {
  /** Absolute, links resolved. */
  readonly folder: string;
  /** Absolute path of `workflow.yaml`. */
  readonly file: string;
  readonly definition: WorkflowDefinition;
  /** The saved component of each `uses`. */
  readonly components: Readonly<Record<string, string>>;
  readonly warnings: readonly FolderWarning[];
}

/**
 * Reads the file, and bundles and evaluates what its steps use. Only within `SavedComponents.adding`.
 * @throws WeirError `bad_input` with a detail for each mistake of the file, at its line; `bad_component`,
 *   `packages_needed`, `cancelled`
 */
export async function readFolder(
  options: FolderCodeOptions,
  { workflow_path: path, install }: FolderRequest,
  context: TaskContext,
): Promise<FolderCode> {
  const { folder, file } = await locate(path);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'There is no file' : 'This file cannot be read:';
    throw new WeirError('bad_input', `${why} ${file}.`, undefined, error);
  });
  const { definition, diagnostics } = readWorkflow(text);
  if (definition === undefined) throw unreadable(file, diagnostics);
  const warnings: FolderWarning[] = diagnostics.flatMap(({ severity, message, line, column }) =>
    severity === 'error' ? [] : [{ severity, message, file, line, column }],
  );
  const warn = (message: string, line: number): void => {
    warnings.push({ severity: 'warning', message, file, line, column: 0 });
  };
  const { components, propSets } = await resolveSteps(
    { ...options, warn },
    file,
    definition,
    install,
    context,
  );
  warnings.push(...(await warningsOfNeighbours(options, file, definition, components)));
  if (definition.settings.workers > 1) warnings.push(...(await warningsOfTmp(file, definition)));
  return {
    folder,
    file,
    definition: {
      ...(await withResponse(options, definition, components)),
      steps: withPropSets(definition.steps, propSets),
    },
    components: Object.fromEntries(
      [...components].map(([uses, { componentId }]) => [uses, componentId]),
    ),
    warnings,
  };
}

/** Executions that run side by side may write over what the others have there (P25.85). */
async function warningsOfTmp(
  file: string,
  { steps, settings: { workers } }: WorkflowDefinition,
): Promise<FolderWarning[]> {
  const warnings: FolderWarning[] = [];
  for (const { namespace, uses, line, disabled } of actionsOf(steps)) {
    const code = stepCodeOf(uses);
    if (disabled || !('kind' in code) || code.kind !== 'file') continue;
    const path = resolve(dirname(file), uses);
    const text = await readFile(path, 'utf8').catch(() => '');
    const found = literalTmp(text, code.language);
    if (found === undefined) continue;
    const message = `${namespace}: line ${found.line} of its file names /tmp, which up to ${workers} executions share: write ${found.instead} for a folder of their own, or set settings.concurrency.workers to 1.`;
    warnings.push({ severity: 'warning', message, file, line, column: 0 });
  }
  return warnings;
}

/** A deployment is code: other files beside a step are not part of it, or only read where they lie. */
async function warningsOfNeighbours(
  { components }: Pick<FolderCodeOptions, 'components'>,
  file: string,
  { steps }: WorkflowDefinition,
  resolved: ResolvedComponents,
): Promise<FolderWarning[]> {
  const warnings: FolderWarning[] = [];
  for (const { namespace, uses, line, disabled } of actionsOf(steps)) {
    const code = stepCodeOf(uses);
    if (disabled || !('kind' in code) || code.kind !== 'file') continue;
    const path = resolve(dirname(file), uses);
    const deployment = await components.get(resolved.get(uses)?.hash ?? '');
    const text = await readFile(path, 'utf8').catch(() => '');
    const beside = await readdir(dirname(path), { withFileTypes: true }).catch(() => []);
    const deployed = new Set([path, file, ...(deployment?.inputs ?? [])]);
    for (const name of namedIn(
      text,
      beside.filter((one) => one.isFile()).map((one) => one.name),
    )) {
      if (deployed.has(join(dirname(path), name)) || name.endsWith('.py')) continue;
      const message = `${namespace}: its code names ${name}, which is not deployed with it. Put its content into the code or a file of $.files, or read it by its absolute path.`;
      warnings.push({ severity: 'warning', message, file, line, column: 0 });
    }
  }
  return warnings;
}

async function locate(path: string): Promise<{ folder: string; file: string }> {
  const { folder, file } = workflowFile(path);
  try {
    return { folder: await realpath(folder), file };
  } catch (error) {
    throw new WeirError('bad_input', `There is no folder ${folder}.`, undefined, error);
  }
}

function unreadable(file: string, diagnostics: readonly Diagnostic[]): WeirError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return new WeirError(
    'bad_input',
    errors.map(({ message, line }) => `${file}:${line}: ${message}`).join('\n'),
    errors.map(({ message, line, column }) => ({ file, message, line, column })),
  );
}
