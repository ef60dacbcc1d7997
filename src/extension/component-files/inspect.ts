import type { CallOptions } from '../../client/connection.ts';
import type { Result } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { ComponentProblems } from '../problems/component-problems.ts';

export type Definition = Result<'components.inspect'>;

export interface InspectContext {
  readonly problems: Pick<ComponentProblems, 'during'>;
}

/** Reads a component's file. What is wrong with it is marked in the file; throws `bad_component` then. */
export async function inspect(
  { problems }: InspectContext,
  folder: Folder,
  file: string,
  options: CallOptions,
): Promise<Definition> {
  const client = await folder.link.ready();
  return problems.during(file, () =>
    client.call('components.inspect', { component_path: file }, options),
  );
}
