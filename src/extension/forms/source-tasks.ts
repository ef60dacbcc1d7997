import path from 'node:path';
import type * as vscode from 'vscode';
import type { CallOptions } from '../../client/connection.ts';
import type { Source } from '../../protocol/catalogue.ts';
import { type ConfigurableProp, isAsked } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import { own } from '../../protocol/own.ts';
import type { Problems, Values } from '../../webview/prop-form/messages.ts';
import { inspect, type Definition } from '../component-files/inspect.ts';
import type { Folder } from '../connection/folder.ts';
import type { SourcesView } from '../views/sources-view.ts';
import { isKept } from './secrets.ts';
import type { FormTask, LoadedForm, LoadOptions, TaskContext } from './task.ts';

/** Logs what was done, and shows a new source in the tree. */
export function createTaskContext({
  problems,
  results,
  sources,
  output,
}: Pick<TaskContext, 'problems' | 'results'> & {
  readonly sources: SourcesView;
  readonly output: vscode.LogOutputChannel;
}): TaskContext {
  return {
    problems,
    results,
    done(folder, source, how) {
      output.info(`${how} ${source.name} (${source.id}).`);
      if (how === 'Deployed') void sources.reveal(folder, source.id);
    },
  };
}

/** Whether a component has props that a user can fill in. */
export function needsForm(props: readonly ConfigurableProp[]): boolean {
  return props.some(isAsked);
}

/** Whether a component cannot run before the user has given a value for this prop. */
export function isMissing(prop: ConfigurableProp, given: Values): boolean {
  const isRequired = isAsked(prop) && prop.optional !== true;
  return isRequired && prop.default === undefined && own(given, prop.name) === undefined;
}

/** Throws `bad_component` for what cannot be deployed. */
export function requireSource(file: string, { type }: Definition): void {
  if (type === 'source') return;
  const what = type === 'action' ? 'an action' : 'an app';
  throw new WeirError(
    'bad_component',
    `${path.basename(file)} is ${what}; only sources can be deployed.`,
  );
}

export interface KnownDeploy {
  /** When it was just read. */
  readonly definition?: Definition;
  /** Ids that were reserved before a reload of the window, by prop. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
}

export function deployTask(
  context: TaskContext,
  folder: Folder,
  file: string,
  { definition: known, endpoints = {} }: KnownDeploy = {},
): FormTask {
  let first = known;
  return {
    subject: { kind: 'deploy', runtime: folder.key, file, endpoints },
    title: `Deploy ${known?.name ?? path.basename(file)}`,
    file,
    component: { component_path: file },
    folder,
    client: () => folder.link.ready(),
    async load(options) {
      const definition = first ?? (await inspectSource(context, folder, file, options));
      first = undefined;
      return {
        ...formOf(definition, 'Deploy', definition.name),
        about: shownPath(folder, file),
        values: {},
        secrets: [],
        problems: {},
      };
    },
    async reserveEndpoint(id) {
      const client = await folder.link.ready();
      return client.call('endpoints.reserve', id === undefined ? {} : { id });
    },
    async submit(values, reserved, options) {
      const client = await folder.link.ready();
      const source = await context.problems.during(file, () =>
        client.call(
          'sources.deploy',
          { component_path: file, configured_props: values, endpoints: reserved },
          options,
        ),
      );
      context.done(folder, source, 'Deployed');
    },
  };
}

/**
 * Something else that is done with a component that is not deployed and needs values for its props.
 * @param verb what its button says
 */
export function propsTask(
  context: TaskContext,
  folder: Folder,
  file: string,
  definition: Definition,
  verb: string,
  submit: (props: Values, options: Required<CallOptions>) => Promise<void>,
): FormTask {
  const deploy = deployTask(context, folder, file, { definition });
  const title = `${verb} ${definition.name}`;
  return {
    ...deploy,
    purpose: verb,
    title,
    async load(options) {
      return { ...(await deploy.load(options)), heading: title, verb };
    },
    submit: (props, _, options) => submit(props, options),
  };
}

/** New code for a deployed source, whose props have changed. */
export function updateTask(
  context: TaskContext,
  folder: Folder,
  { id, name }: Pick<Source, 'id' | 'name'>,
  file: string,
  problems: Problems = {},
): FormTask {
  return {
    subject: { kind: 'update', runtime: folder.key, id, file },
    title: `Update ${name}`,
    file,
    component: { id, component_path: file },
    folder,
    client: () => folder.link.ready(),
    async load(options) {
      const definition = await inspectSource(context, folder, file, options);
      const client = await folder.link.ready();
      const source = await client.call('sources.get', { id }, { signal: options.signal });
      return {
        ...formOf(definition, 'Update', source.name),
        about: shownPath(folder, file),
        ...stored(source),
        problems,
      };
    },
    async submit(values, _, options) {
      const client = await folder.link.ready();
      const source = await context.problems.during(file, () =>
        client.call(
          'sources.update',
          { id, component_path: file, configured_props: values },
          options,
        ),
      );
      context.done(folder, source, 'Updated');
    },
  };
}

/** The props of a deployed source; its code stays. */
export function configureTask(
  context: TaskContext,
  folder: Folder,
  { id, name }: Pick<Source, 'id' | 'name'>,
): FormTask {
  return {
    subject: { kind: 'configure', runtime: folder.key, id },
    title: `Configure ${name}`,
    file: undefined,
    component: { id },
    folder,
    client: () => folder.link.ready(),
    async load({ signal }) {
      const client = await folder.link.ready();
      const source = await client.call('sources.get', { id }, { signal });
      return {
        heading: `Configure ${source.name}`,
        about: source.path === null ? source.id : shownPath(folder, source.path),
        description: null,
        verb: 'Save',
        props: source.configurable_props,
        dynamic: true,
        ...stored(source),
        problems: {},
      };
    },
    async submit(values, _, options) {
      const client = await folder.link.ready();
      const source = await client.call('sources.update', { id, configured_props: values }, options);
      context.done(folder, source, 'Configured');
    },
  };
}

async function inspectSource(
  context: TaskContext,
  folder: Folder,
  file: string,
  options: LoadOptions,
): Promise<Definition> {
  const definition = await inspect(context, folder, file, options);
  requireSource(file, definition);
  return definition;
}

export function formOf(
  definition: Definition,
  verb: string,
  name: string,
): Pick<LoadedForm, 'heading' | 'description' | 'verb' | 'props' | 'dynamic'> {
  return {
    heading: `${verb} ${name}`,
    description: definition.description,
    verb,
    props: definition.configurable_props,
    dynamic: definition.has_additional_props,
  };
}

function stored({ configured_props: values }: Source): Pick<LoadedForm, 'values' | 'secrets'> {
  const secrets = Object.keys(values).filter((name) => isKept(values[name]));
  return { values, secrets };
}

/** A file's path as it is shown: relative to its folder. */
export function shownPath(folder: Folder, file: string): string {
  return folder.root !== undefined && folder.holds(file) ? path.relative(folder.root, file) : file;
}
