import path from 'node:path';
import type { Result } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { askProps } from '../forms/ask-props.ts';
import { askedProps, requiredProps } from '../forms/prop-question.ts';
import { withProgress } from '../notify.ts';
import type { Command, CommandContext } from './context.ts';
import { pickFile } from './pick-file.ts';
import { pickSource, type SourceTarget } from './pick-target.ts';

/** Looks at the file, asks for the props it requires, deploys it. */
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
  requireSource(name, definition);
  const client = await folder.link.ready();
  const asked = requiredProps(definition.configurable_props);
  const props = await askProps(`Deploy ${definition.name}`, asked, {}, client);
  if (props === undefined) return;
  const source = await withProgress(`Deploying ${definition.name}`, (signal, progress) =>
    context.problems.during(file, () =>
      client.call(
        'sources.deploy',
        { component_path: file, configured_props: props },
        { signal, progress },
      ),
    ),
  );
  context.output.info(`Deployed ${source.name} (${source.id}) from ${file}.`);
  await context.sources.reveal(folder, source.id);
};

/** Brings the code of a deployed source up to its file; asks for what became required. */
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
  await save(context, target, file, (props) => {
    const configured = target.source.configured_props;
    return requiredProps(props).filter((prop) => configured[prop.name] === undefined);
  });
};

/** Asks for the props again, the present values filled in. */
export const configure: Command = async (context, arg) => {
  const target = await pickSource(context.folders, arg, 'Configure Source');
  if (target === undefined) return;
  const props = askedProps(target.source.configurable_props);
  if (props.length === 0) {
    throw new WeirError('bad_input', `${target.source.name} has no props to configure.`);
  }
  const { source, folder } = target;
  const client = await folder.link.ready();
  const title = `Configure ${source.name}`;
  const answers = await askProps(title, props, source.configured_props, client);
  if (answers === undefined) return;
  await withProgress(`Updating ${source.name}`, (signal, progress) =>
    client.call(
      'sources.update',
      { id: source.id, configured_props: answers },
      { signal, progress },
    ),
  );
};

type Definition = Result<'components.inspect'>;

async function save(
  context: CommandContext,
  { folder, source }: SourceTarget,
  file: string,
  missing: (props: Definition['configurable_props']) => Definition['configurable_props'],
): Promise<void> {
  const client = await folder.link.ready();
  const definition = await context.problems.during(file, () =>
    client.call('components.inspect', { component_path: file }),
  );
  requireSource(path.basename(file), definition);
  const asked = missing(definition.configurable_props);
  const props = await askProps(`Update ${source.name}`, asked, {}, client);
  if (props === undefined) return;
  await withProgress(`Updating ${source.name}`, (signal, progress) =>
    context.problems.during(file, () =>
      client.call(
        'sources.update',
        { id: source.id, component_path: file, configured_props: props },
        { signal, progress },
      ),
    ),
  );
  context.output.info(`Updated ${source.name} (${source.id}) from ${file}.`);
}

function requireSource(file: string, definition: Definition): void {
  if (definition.type === 'source') return;
  const what = definition.type === 'action' ? 'an action' : 'an app';
  throw new WeirError('bad_component', `${file} is ${what}; only sources can be deployed.`);
}
