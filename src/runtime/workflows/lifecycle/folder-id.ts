/** Which workflow a folder is: its id stands in `.workflow.state`, and the store knows it by its path. */
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { writeInside } from '../../../protocol/write-inside.ts';
import type { WorkflowTable } from '../../store/configuration/workflows.ts';
import { readState, stateFileName, stateText } from '../file/state.ts';

export interface FolderId {
  /** `p_…` */
  readonly id: string;
  /** That its state file has the id of another folder, as a sentence. */
  readonly copy?: string;
}

/**
 * The folder's own, unless another folder that is there has it: then this one is a copy.
 * @param folder absolute, links resolved
 * @throws WeirError `bad_input` for a state file that cannot be read
 */
export async function idOfFolder(
  folder: string,
  workflows: Pick<WorkflowTable, 'get' | 'ofFolder'>,
  newId: () => string,
): Promise<FolderId> {
  const known = workflows.ofFolder(folder);
  if (known !== undefined) return { id: known.id };
  const text = await readFile(join(folder, stateFileName), 'utf8').catch(() => undefined);
  if (text === undefined) return { id: newId() };
  const state = readState(text);
  if ('wrong' in state) throw new WeirError('bad_input', `${folder}: ${state.wrong}`);
  const other = workflows.get(state.id);
  if (other === undefined) return { id: state.id };
  const isThere = await realpath(other.path).then(
    () => true,
    () => false,
  );
  if (!isThere) return { id: state.id };
  const copy = `${folder} has the id of ${other.path}; it is a copy, and gets one of its own.`;
  return { id: newId(), copy };
}

/** A folder that cannot be written is still deployed: the store knows it by its path. */
export async function writeState(folder: string, id: string): Promise<void> {
  const path = join(folder, stateFileName);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  const state = before === undefined ? undefined : readState(before);
  if (state !== undefined && 'id' in state && state.id === id) return;
  await writeInside(folder, stateFileName, stateText(id, before)).catch(() => undefined);
}
