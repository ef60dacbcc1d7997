import type { Folders } from '../connection/folders.ts';
import { runTask } from './run-task.ts';
import { configureTask, deployTask, updateTask } from './source-tasks.ts';
import type { FormSubject } from './subject.ts';
import type { FormTask, TaskContext } from './task.ts';

/**
 * The task of a form that was open when the window was reloaded. The subject was kept by the page,
 * which is not trusted, so its file has to be one of this workspace.
 * @returns undefined when the folder or the file is not part of it
 */
export function restoreTask(
  context: TaskContext,
  folders: Pick<Folders, 'withKey'>,
  subject: FormSubject,
): FormTask | undefined {
  const folder = folders.withKey(subject.runtime);
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
