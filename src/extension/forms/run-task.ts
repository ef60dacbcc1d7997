import path from 'node:path';
import type { CallOptions } from '../../client/connection.ts';
import type { ActionRun } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Values } from '../../webview/prop-form/messages.ts';
import { inspect, type Definition } from '../component-files/inspect.ts';
import type { Folder } from '../connection/folder.ts';
import { formOf, shownPath } from './source-tasks.ts';
import type { FormTask, TaskContext } from './task.ts';

type RunContext = Pick<TaskContext, 'problems' | 'results'>;

/** An action that is run once with the values of its props; the result opens beside the form. */
export function runTask(
  context: RunContext,
  folder: Folder,
  file: string,
  known?: Definition,
): FormTask {
  let first = known;
  const name = known?.name ?? path.basename(file);
  return {
    subject: { kind: 'run', runtime: folder.key, file },
    title: `Run ${name}`,
    file,
    component: { component_path: file },
    folder,
    client: () => folder.link.ready(),
    async load(options) {
      const definition = first ?? (await inspect(context, folder, file, options));
      requireAction(file, definition);
      first = undefined;
      return {
        ...formOf(definition, 'Run', definition.name),
        about: shownPath(folder, file),
        values: {},
        secrets: [],
        problems: {},
      };
    },
    submit: (values, _, options) => runAction(context, folder, { file, name }, values, options),
  };
}

/** Runs an action once and shows the result. Throws `component_failed` when the run fails. */
export async function runAction(
  { problems, results }: RunContext,
  folder: Folder,
  action: { readonly file: string; readonly name: string },
  configured_props: Values,
  options: CallOptions,
): Promise<void> {
  const client = await folder.link.ready();
  const run = await problems.during(action.file, () =>
    client.call('actions.run', { component_path: action.file, configured_props }, options),
  );
  await results.show(`Run of ${action.name}`, shownRun(run));
  if (run.error === undefined) return;
  const { name, message } = run.error;
  const lines = run.logs.map(({ text, level }) => ({ message: text, level }));
  throw new WeirError('component_failed', `${action.name} failed. ${name}: ${message}`, lines);
}

/** The most important result comes first. */
function shownRun({ summary, return_value, exports, error, logs }: ActionRun): unknown {
  return {
    ...(error === undefined ? {} : { error }),
    ...(summary === null ? {} : { summary }),
    return_value,
    exports,
    logs: logs.map(({ ts, level, text }) => `${new Date(ts).toISOString()} ${level} ${text}`),
  };
}

/** Throws `bad_component` for what is not an action. */
export function requireAction(file: string, { type }: Definition): void {
  if (type === 'action') return;
  const what = type === 'source' ? 'a source; deploy it' : 'an app';
  throw new WeirError(
    'bad_component',
    `${path.basename(file)} is ${what}; only actions can be run.`,
  );
}
