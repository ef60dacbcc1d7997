import path from 'node:path';
import { activeComponent } from '../debug/component-editor.ts';
import { inspectAction, runAction as run, runTask } from '../forms/run-task.ts';
import { needsForm } from '../forms/tasks.ts';
import { withProgress } from '../notify.ts';
import type { Command } from './context.ts';
import { pickFile } from './pick-file.ts';

/** Runs an action once; one with anything to fill in gets its form first. */
export const runAction: Command = async (context, arg) => {
  const file = await pickFile(arg ?? activeComponent(), 'Run Action', 'action');
  if (file === undefined) return;
  const folder = context.folders.of(file);
  const definition = await withProgress(`Reading ${path.basename(file)}`, (signal, progress) =>
    inspectAction(context, folder, file, { signal, progress }),
  );
  if (needsForm(definition.configurable_props)) {
    return context.forms.open(runTask(context, folder, file, definition));
  }
  const { name } = definition;
  await withProgress(`Running ${name}`, (signal, progress) =>
    run(context, folder, { file, name }, {}, { signal, progress }),
  );
};
