/** Where a component's code comes from: a file, text, or something saved before. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import type { BuildOptions, Components, Deployment } from './deployments/deployment.ts';
import type { ComponentTable } from '../store/configuration/components.ts';

/** As the REST parameters name it (P17.1, P17.2); one of them is set. */
export interface Origin {
  readonly component_path?: string | undefined;
  readonly component_code?: string | undefined;
  readonly component_url?: string | undefined;
  readonly component_id?: string | undefined;
  readonly key?: string | undefined;
  /** True: missing packages may be installed. False: they may not, and `packages_needed` lists them. */
  readonly install?: boolean | undefined;
}

export function hasOrigin(origin: Origin): boolean {
  return names(origin).length > 0;
}

export interface OriginOptions {
  readonly components: Components;
  readonly saved: ComponentTable;
  /** Code that is given as text is written here, so that stack traces and breakpoints have a file. */
  readonly codeFolder: string;
}

/**
 * The deployment of an origin, built when it is a file or text.
 * @throws WeirError `bad_input` when not exactly one origin is given, or one that this version cannot
 *   read; `not_found` for a saved component; `bad_component` when it does not compile
 */
export async function resolveOrigin(
  options: OriginOptions,
  origin: Origin,
  buildOptions: BuildOptions,
): Promise<Deployment> {
  const build =
    origin.install === undefined ? buildOptions : { ...buildOptions, install: origin.install };
  const given = names(origin);
  if (given.length !== 1) {
    throw new WeirError('bad_input', 'Give one of component_path, component_code or component_id.');
  }
  if (origin.component_path !== undefined) {
    if (!isAbsolute(origin.component_path)) {
      throw new WeirError(
        'bad_input',
        `component_path must be absolute, not "${origin.component_path}".`,
      );
    }
    return options.components.build(origin.component_path, build);
  }
  if (origin.component_code !== undefined) {
    const file = await writeCode(options.codeFolder, origin.component_code);
    return options.components.build(file, build);
  }
  if (origin.component_id !== undefined) return savedDeployment(options, origin.component_id);
  const published = origin.key === undefined ? undefined : options.saved.published(origin.key);
  if (published !== undefined) return savedDeployment(options, published.componentId);
  throw new WeirError(
    'bad_input',
    `${unsupported(given[0])} is not supported by this version. Give component_path with a local file, or the key of a component that was published here.`,
  );
}

function unsupported(origin: string | undefined): string {
  return origin === 'key' ? 'The public registry' : `${origin}`;
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

async function writeCode(folder: string, code: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`);
  await writeFile(file, code, { mode: 0o600 });
  return file;
}

function names(origin: Origin): string[] {
  const { component_path, component_code, component_url, component_id, key } = origin;
  return Object.entries({ component_path, component_code, component_url, component_id, key })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}
