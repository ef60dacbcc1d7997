import type { Folders } from '../connection/folders.ts';
import type { FormSubject } from './subject.ts';
import type { FormTask } from './task.ts';
import { runTask, type RunContext } from './run-task.ts';
import { configureTask, deployTask, updateTask, type TaskContext } from './tasks.ts';

/**
 * The task of a form that was open when the window was reloaded. What a page kept is no proof of
 * anything, so the file has to be one of this workspace.
 */
export function restoreTask(
  context: TaskContext & RunContext,
  folders: Pick<Folders, 'all'>,
  subject: FormSubject,
): FormTask | undefined {
  const folder = folders.all.find(({ dataFolder }) => dataFolder === subject.dataFolder);
  if (folder === undefined) return undefined;
  if (subject.kind !== 'configure' && !folder.holds(subject.file)) return undefined;
  switch (subject.kind) {
    case 'deploy':
      return deployTask(context, folder, subject.file, { endpoints: subject.endpoints });
    case 'update':
      return updateTask(context, folder, { id: subject.id, name: 'Source' }, subject.file);
    case 'configure':
      return configureTask(context, folder, { id: subject.id, name: 'Source' });
    case 'run':
      return runTask(context, folder, subject.file);
    default:
      return subject satisfies never;
  }
}
