import path from 'node:path';
import type { CallOptions } from '../../client/connection.ts';
import type { ActionRun } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { ComponentProblems } from '../component-problems.ts';
import type { Folder } from '../connection/folder.ts';
import type { ResultDocuments } from '../documents/result-documents.ts';
import type { FormTask, LoadOptions } from './task.ts';
import { formOf, relative, type Definition } from './tasks.ts';

export interface RunContext {
  readonly problems: Pick<ComponentProblems, 'during'>;
  readonly results: Pick<ResultDocuments, 'show'>;
}

/** An action with the values of its props, run once; what came of it opens beside. */
export function runTask(
  context: RunContext,
  folder: Folder,
  file: string,
  known?: Definition,
): FormTask {
  let first = known;
  return {
    subject: { kind: 'run', dataFolder: folder.dataFolder, file },
    title: `Run ${known?.name ?? path.basename(file)}`,
    file,
    component: { component_path: file },
    client: () => folder.link.ready(),
    async load(options) {
      const definition = first ?? (await inspectAction(context, folder, file, options));
      first = undefined;
      return {
        ...formOf(definition, 'Run', definition.name),
        about: relative(folder, file),
        values: {},
        secrets: [],
        problems: {},
      };
    },
    submit: (values, options) =>
      runAction(
        context,
        folder,
        { file, name: known?.name ?? path.basename(file) },
        values,
        options,
      ),
  };
}

export async function runAction(
  { problems, results }: RunContext,
  folder: Folder,
  action: { readonly file: string; readonly name: string },
  configured_props: Readonly<Record<string, unknown>>,
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

/** What one looks for first. */
function shownRun({ summary, return_value, exports, error, logs }: ActionRun): unknown {
  return {
    ...(error === undefined ? {} : { error }),
    ...(summary === null ? {} : { summary }),
    return_value,
    exports,
    logs: logs.map(({ ts, level, text }) => `${new Date(ts).toISOString()} ${level} ${text}`),
  };
}

/** Throws `bad_component` for what is no action. */
export async function inspectAction(
  { problems }: RunContext,
  folder: Folder,
  file: string,
  options: LoadOptions,
): Promise<Definition> {
  const client = await folder.link.ready();
  const definition = await problems.during(file, () =>
    client.call('components.inspect', { component_path: file }, options),
  );
  if (definition.type === 'action') return definition;
  const what = definition.type === 'source' ? 'a source; deploy it' : 'an app';
  throw new WeirError('bad_component', `${path.basename(file)} is ${what}; only actions are run.`);
}
