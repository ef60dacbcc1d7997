import type { ConfigurableProp } from '../../protocol/definition.ts';
import { isAsked } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import { taskContext } from '../commands/deploy.ts';
import type { CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import type { FormTask } from '../forms/task.ts';
import { deployTask, type Definition } from '../forms/tasks.ts';
import type { Props } from './launch-configuration.ts';

/** Whether a component cannot run before a person has said something about this prop. */
export function isMissing(
  prop: Definition['configurable_props'][number],
  given: Readonly<Record<string, unknown>>,
): boolean {
  const { name, optional, default: initial } = prop as ConfigurableProp;
  const isRequired = isAsked(prop) && optional !== true;
  return isRequired && initial === undefined && own(given, name) === undefined;
}

/**
 * The form of a component that is not deployed.
 * @param verb what its button says
 */
export function propsTask(
  context: CommandContext,
  folder: Folder,
  file: string,
  definition: Definition,
  verb: string,
  submit: (props: Props) => Promise<void>,
): FormTask {
  const deploy = deployTask(taskContext(context), folder, file, { definition });
  const title = `${verb} ${definition.name}`;
  return {
    ...deploy,
    title,
    async load(options) {
      return { ...(await deploy.load(options)), heading: title, verb };
    },
    submit: (props) => submit(props),
  };
}
