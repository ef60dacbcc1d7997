/** The origin of a component's code: a file, text, a saved component, or a registry. */
import { isAbsolute } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import { parseReference, type Reference } from '../../protocol/reference.ts';
import { writeCodeFile } from './code-file.ts';
import type { BuildOptions, Components, Deployment } from './deployments/deployment.ts';
import type { ComponentTable } from '../store/configuration/components.ts';

/** As the REST parameters name it; which of several counts, P17.1 and P17.2 say. */
export interface Origin {
  readonly component_path?: string | undefined;
  readonly component_code?: string | undefined;
  readonly component_url?: string | undefined;
  readonly component_id?: string | undefined;
  readonly key?: string | undefined;
  /** True: missing packages may be installed. False: they may not, and `packages_needed` lists them. */
  readonly install?: boolean | undefined;
  /** The deployment that was just built: `load` uses it instead of building once more. */
  readonly built?: Deployment | undefined;
}

export function hasOrigin(origin: Origin): boolean {
  return given(origin).length > 0;
}

export interface OriginOptions {
  readonly components: Components;
  readonly saved: ComponentTable;
  /** Code that is given as text is written here, so that stack traces and breakpoints have a file. */
  readonly codeFolder: string;
  /**
   * The file of a component from elsewhere, fetched if necessary (P27.5).
   * @throws WeirError `trust_needed` before a yes, and the reason if it cannot be fetched
   */
  readonly foreign: (reference: ForeignReference, options: BuildOptions) => Promise<string>;
}

/** A reference that is looked up in the lock file and in registries. */
export type ForeignReference = Exclude<Reference, { readonly kind: 'file' }>;

/**
 * The deployment of an origin, built when it is a file or text.
 * @throws WeirError `bad_input` when none is given, two that exclude each other, or one that cannot be
 *   read; `not_found` for a component that is nowhere; `trust_needed` for one of others; `bad_component` when it does not compile
 */
export async function resolveOrigin(
  options: OriginOptions,
  origin: Origin,
  buildOptions: BuildOptions,
): Promise<Deployment> {
  const build =
    origin.install === undefined ? buildOptions : { ...buildOptions, install: origin.install };
  const all = given(origin);
  const [first] = all;
  if (first === undefined || (all.length > 1 && all.some(({ alone }) => alone))) {
    throw new WeirError(
      'bad_input',
      'Give one of component_path, component_code, component_id or key; of component_id, component_code and component_url the first that is given counts.',
    );
  }
  const { name, value } = first;
  switch (name) {
    case 'component_id':
      return savedDeployment(options, value);
    case 'component_code':
      return options.components.build(await writeCodeFile(options.codeFolder, value), build);
    case 'component_path':
      if (isAbsolute(value)) return options.components.build(value, build);
      throw new WeirError('bad_input', `component_path must be absolute, not "${value}".`);
    case 'key': {
      const published = options.saved.published(value);
      if (published !== undefined) return savedDeployment(options, published.componentId);
      return options.components.build(await options.foreign(foreignIn(name, value), build), build);
    }
    case 'component_url':
      return options.components.build(await options.foreign(foreignIn(name, value), build), build);
  }
}

function foreignIn(parameter: string, text: string): ForeignReference {
  const reference = parseReference(text);
  if ('wrong' in reference) {
    throw new WeirError('bad_input', `${parameter} "${text.slice(0, 200)}" ${reference.wrong}.`);
  }
  if (reference.kind !== 'file') return reference;
  throw new WeirError(
    'bad_input',
    `${parameter} "${text.slice(0, 200)}" is a file; give it as component_path.`,
  );
}

async function savedDeployment(options: OriginOptions, id: string): Promise<Deployment> {
  const saved = options.saved.get(id);
  if (saved === undefined) throw new WeirError('not_found', `There is no saved component ${id}.`);
  const deployment = await options.components.get(saved.hash);
  if (deployment === undefined) {
    throw new WeirError(
      'not_found',
      `The code of ${id} is gone from the data folder; deploy its file again.`,
    );
  }
  return deployment;
}

/** In the order in which they count. The platform ranks the first three; beside another the last two are a mistake. */
const origins = [
  { name: 'component_id', alone: false },
  { name: 'component_code', alone: false },
  { name: 'component_url', alone: false },
  { name: 'component_path', alone: true },
  { name: 'key', alone: true },
] as const;

function given(origin: Origin) {
  return origins.flatMap((one) => {
    const value = origin[one.name];
    return value === undefined ? [] : [{ ...one, value }];
  });
}
