import type { ConfigurableProp } from '../../protocol/definition.ts';
import { isAsked } from '../../protocol/definition.ts';
import { taskContext } from '../commands/deploy.ts';
import type { CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import type { FormTask } from '../forms/task.ts';
import { deployTask, type Definition } from '../forms/tasks.ts';
import { startDebugger } from './start-debugger.ts';

/** Whether a component cannot run before a person has said something about this prop. */
export function isMissing(
  prop: Definition['configurable_props'][number],
  given: Readonly<Record<string, unknown>>,
): boolean {
  const { name, optional, default: initial } = prop as ConfigurableProp;
  const isRequired = isAsked(prop) && optional !== true;
  return isRequired && initial === undefined && given[name] === undefined;
}

/** The form of a component that is not deployed; its button starts the debugger. */
export function debugTask(
  context: CommandContext,
  folder: Folder,
  file: string,
  definition: Definition,
): FormTask {
  const deploy = deployTask(taskContext(context), folder, file, { definition });
  const title = `Debug ${definition.name}`;
  return {
    ...deploy,
    title,
    async load(options) {
      return { ...(await deploy.load(options)), heading: title, verb: 'Debug' };
    },
    async submit(props) {
      await startDebugger({ name: title, component: file, props });
    },
  };
}
