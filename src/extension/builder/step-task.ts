import path from 'node:path';
import type { Params } from '../../protocol/catalogue.ts';
import { isAsked, type ConfigurableProp } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Values } from '../../webview/builder/messages.ts';
import type { Folder } from '../connection/folder.ts';
import type { FormTask, TaskContext } from '../forms/task.ts';

type Origin = Pick<Params<'components.inspect'>, 'component_path' | 'component_id'>;

/** The form of a step's own props. It has no button: what is typed goes into the file. */
export async function stepTask(
  { problems }: Pick<TaskContext, 'problems'>,
  folder: Folder,
  workflowFile: string,
  step: Values,
): Promise<FormTask> {
  const { uses } = step;
  const given = isValues(step['props']) ? step['props'] : {};
  const origin = typeof uses === 'string' ? await originOf(folder, workflowFile, uses) : undefined;
  return {
    subject: { kind: 'run', runtime: folder.key, file: workflowFile },
    title: String(step['namespace']),
    file: undefined,
    component: origin ?? {},
    folder,
    client: () => folder.link.ready(),
    async load(options) {
      const form = { heading: '', about: '', verb: '', values: given, secrets: [], problems: {} };
      if (origin === undefined) {
        return {
          ...form,
          description: null,
          props: others([], given),
          dynamic: false,
          expressions: true,
        };
      }
      const client = await folder.link.ready();
      const inspect = () => client.call('components.inspect', origin, options);
      const definition = await (origin.component_path === undefined
        ? inspect()
        : problems.during(origin.component_path, inspect));
      const props: readonly ConfigurableProp[] = definition.configurable_props;
      return {
        ...form,
        description: definition.description,
        props: [...props.filter(isAsked), ...others(props, given)],
        dynamic: definition.has_additional_props,
        expressions: true,
      };
    },
    submit: () => Promise.resolve(),
  };
}

/** Values in the file that the component does not declare: all values of a script. */
function others(props: readonly ConfigurableProp[], given: Values): ConfigurableProp[] {
  return Object.keys(given)
    .filter((name) => !name.startsWith('_') && !props.some((prop) => prop.name === name))
    .map((name) => ({ name, type: 'any', optional: true }));
}

/** @returns undefined for a script, which has no props of its own */
async function originOf(
  folder: Folder,
  workflowFile: string,
  uses: string,
): Promise<Origin | undefined> {
  if (/^\.\.?\//.test(uses)) {
    return /\.(?:js|mjs|ts|mts)$/.test(uses)
      ? { component_path: path.resolve(path.dirname(workflowFile), uses) }
      : undefined;
  }
  const client = await folder.link.ready();
  const found = await client.call('workflows.component', { workflow_path: workflowFile, uses });
  if (found.path !== null) return { component_path: found.path };
  if (found.component_id !== null) return { component_id: found.component_id };
  throw new WeirError('not_found', `There is no component ${uses} here.`);
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
