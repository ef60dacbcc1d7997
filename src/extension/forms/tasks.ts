import path from 'node:path';
import type { Result, Source } from '../../protocol/catalogue.ts';
import { type ConfigurableProp, isAsked } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Problems } from '../../webview/prop-form/messages.ts';
import type { Folder } from '../connection/folder.ts';
import type { ComponentProblems } from '../component-problems.ts';
import { isKept } from './secrets.ts';
import type { FormTask, LoadedForm } from './task.ts';

export interface TaskContext {
  readonly problems: Pick<ComponentProblems, 'during'>;
  /** Told once it is deployed or updated. */
  readonly done: (folder: Folder, source: Source, how: string) => void;
}

export type Definition = Result<'components.inspect'>;

/** Whether a person has anything to say before this is deployed. */
export function needsForm(props: readonly ConfigurableProp[]): boolean {
  return props.some(isAsked);
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

export interface DeployKnown {
  /** When it was just read. */
  readonly definition?: Definition;
  /** Drawn before a reload of the window. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
}

export function deployTask(
  context: TaskContext,
  folder: Folder,
  file: string,
  { definition: known, endpoints = {} }: DeployKnown = {},
): FormTask {
  let first = known;
  return {
    subject: { kind: 'deploy', dataFolder: folder.dataFolder, file, endpoints },
    title: `Deploy ${known?.name ?? path.basename(file)}`,
    file,
    component: { component_path: file },
    client: () => folder.link.ready(),
    async load(options) {
      const definition = first ?? (await inspect(context, folder, file, options));
      first = undefined;
      return {
        ...formOf(definition, 'Deploy', definition.name),
        about: relative(folder, file),
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

/** The code of a deployed source anew, which wants props it did not want before. */
export function updateTask(
  context: TaskContext,
  folder: Folder,
  { id, name }: Pick<Source, 'id' | 'name'>,
  file: string,
  problems: Problems = {},
): FormTask {
  return {
    subject: { kind: 'update', dataFolder: folder.dataFolder, id, file },
    title: `Update ${name}`,
    file,
    component: { id, component_path: file },
    client: () => folder.link.ready(),
    async load(options) {
      const definition = await inspect(context, folder, file, options);
      const client = await folder.link.ready();
      const source = await client.call('sources.get', { id }, { signal: options.signal });
      return {
        ...formOf(definition, 'Update', source.name),
        about: relative(folder, file),
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

/** The props of a deployed source, its code as it is. */
export function configureTask(
  context: TaskContext,
  folder: Folder,
  { id, name }: Pick<Source, 'id' | 'name'>,
): FormTask {
  return {
    subject: { kind: 'configure', dataFolder: folder.dataFolder, id },
    title: `Configure ${name}`,
    file: undefined,
    component: { id },
    client: () => folder.link.ready(),
    async load({ signal }) {
      const client = await folder.link.ready();
      const source = await client.call('sources.get', { id }, { signal });
      return {
        heading: `Configure ${source.name}`,
        about: source.path === null ? source.id : relative(folder, source.path),
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

async function inspect(
  context: TaskContext,
  folder: Folder,
  file: string,
  options: Parameters<FormTask['load']>[0],
): Promise<Definition> {
  const client = await folder.link.ready();
  const definition = await context.problems.during(file, () =>
    client.call('components.inspect', { component_path: file }, options),
  );
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

/** As a person calls a file. */
export function relative(folder: Folder, file: string): string {
  return folder.root !== undefined && folder.holds(file) ? path.relative(folder.root, file) : file;
}
