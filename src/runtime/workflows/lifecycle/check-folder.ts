/** Whether a deploy of a folder would succeed: its very checks, with nothing deployed, saved or installed. */
import { readFile } from 'node:fs/promises';
import { type ErrorDetail, WeirError } from '../../../protocol/errors.ts';
import type { TaskContext } from '../../components/load.ts';
import type { UsesStore } from '../../store/store.ts';
import { readWorkflow } from '../file/read.ts';
import { idOfFolder } from './folder-id.ts';
import { knownTriggers, listensTo } from './listening.ts';
import {
  examineSteps,
  type ExaminedSteps,
  type ResolveOptions,
  workflowFile,
} from './resolve-steps.ts';

export interface CheckOptions
  extends Omit<ResolveOptions, 'warn' | 'mayEvaluate'>, UsesStore<'workflows' | 'sources'> {
  /** Whether the code of this file may be evaluated; other code is read by a parser. */
  readonly mayEvaluate: (path: string | null) => boolean;
}

export interface FolderCheck extends Pick<
  ExaminedSteps,
  'wrong' | 'packages' | 'needs' | 'accountless'
> {
  /** Warnings of a deploy. */
  readonly warnings: readonly { readonly message: string; readonly line: number }[];
}

/**
 * Components of others that nobody has allowed yet are not in the result: they are asked about.
 * @param folder absolute
 * @throws WeirError `cancelled`
 */
export async function checkFolder(
  { store, ...options }: CheckOptions,
  folder: string,
  context: TaskContext,
): Promise<FolderCheck> {
  const { file } = workflowFile(folder);
  const { definition } = readWorkflow(await readFile(file, 'utf8'));
  // The text alone says it.
  if (definition === undefined)
    return { wrong: [], packages: [], needs: [], accountless: [], warnings: [] };
  const warnings: { message: string; line: number }[] = [];
  const warn = (message: string, line = 1): void => {
    warnings.push({ message, line });
  };
  const { wrong, packages, needs, accountless } = await examineSteps(
    { ...options, warn },
    file,
    definition,
    false,
    context,
  );
  const ofFolder: ErrorDetail[] = [];
  const attempt = async (check: () => unknown): Promise<void> => {
    try {
      await check();
    } catch (error) {
      if (!WeirError.is(error, 'bad_input')) throw error;
      ofFolder.push({ file, line: 1, column: 0, message: error.message });
    }
  };
  await attempt(() => idOfFolder(folder, store.workflows, () => 'p_'));
  const silent = { store, warn: () => undefined };
  await attempt(() => listensTo(store, file, knownTriggers(silent, file, definition.triggers)));
  return { wrong: [...wrong, ...ofFolder], packages, needs, accountless, warnings };
}
