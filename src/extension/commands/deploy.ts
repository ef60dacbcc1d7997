import path from 'node:path';
import { isAsked } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import { failureOf } from '../forms/failure.ts';
import {
  configureTask,
  deployTask,
  needsForm,
  requireSource,
  updateTask,
  type TaskContext,
} from '../forms/tasks.ts';
import { withProgress } from '../notify.ts';
import type { Command, CommandContext } from './context.ts';
import { pickFile } from './pick-file.ts';
import { pickSource } from './pick-target.ts';

/** Looks at the file and deploys it; a component with anything to fill in gets its form first. */
export const deploy: Command = async (context, arg) => {
  const file = await pickFile(arg);
  if (file === undefined) return;
  const name = path.basename(file);
  const folder = context.folders.of(file);
  const definition = await withProgress(`Reading ${name}`, async (signal, progress) => {
    const client = await folder.link.ready();
    return context.problems.during(file, () =>
      client.call('components.inspect', { component_path: file }, { signal, progress }),
    );
  });
  requireSource(file, definition);
  const task = deployTask(taskContext(context), folder, file, { definition });
  if (needsForm(definition.configurable_props)) return context.forms.open(task);
  await withProgress(`Deploying ${definition.name}`, (signal, progress) =>
    task.submit({}, {}, { signal, progress }),
  );
};

/** Brings the code of a deployed source up to its file; what became required is asked in a form. */
export const update: Command = async (context, arg) => {
  const target = await pickSource(
    context.folders,
    arg,
    'Update Source',
    (one) => one.path !== null,
  );
  if (target === undefined) return;
  const file = await pickFile(target.source.path ?? undefined);
  if (file === undefined) return;
  const { folder, source } = target;
  const form = (problems = {}) => updateTask(taskContext(context), folder, source, file, problems);
  try {
    await withProgress(`Updating ${source.name}`, (signal, progress) =>
      form().submit({}, {}, { signal, progress }),
    );
  } catch (error) {
    // The runtime looks at the props before it touches anything: it is its word what is missing.
    const { problems } = failureOf(error);
    if (!WeirError.is(error, 'bad_input') || Object.keys(problems).length === 0) throw error;
    context.forms.open(form(problems));
  }
};

/** A form with the present values. */
export const configure: Command = async (context, arg) => {
  const target = await pickSource(context.folders, arg, 'Configure Source');
  if (target === undefined) return;
  const { folder, source } = target;
  if (!source.configurable_props.some(isAsked)) {
    throw new WeirError('bad_input', `${source.name} has no props to configure.`);
  }
  context.forms.open(configureTask(taskContext(context), folder, source));
};

/** What happens around a deploy, however it was asked for. */
export function taskContext({
  problems,
  sources,
  output,
}: Pick<CommandContext, 'problems' | 'sources' | 'output'>): TaskContext {
  return {
    problems,
    done(folder, source, how) {
      output.info(`${how} ${source.name} (${source.id}).`);
      if (how === 'Deployed') void sources.reveal(folder, source.id);
    },
  };
}
