/** Where a component's code comes from: a file, text, or something saved before. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import type { BuildOptions, Components, Deployment } from '../components/deployment.ts';
import type { ComponentTable } from '../store/configuration/components.ts';

/** As the REST parameters name it (P17.1, P17.2); one of them is set. */
export interface Origin {
  readonly component_path?: string | undefined;
  readonly component_code?: string | undefined;
  readonly component_url?: string | undefined;
  readonly component_id?: string | undefined;
  readonly key?: string | undefined;
  /** A person said that packages may be installed, or that they must not be asked. */
  readonly install?: boolean | undefined;
}

export function hasOrigin(origin: Origin): boolean {
  return names(origin).length > 0;
}

export interface OriginOptions {
  readonly components: Components;
  readonly saved: ComponentTable;
  /** Code that was given as text is kept here, so that stack traces and breakpoints have a file. */
  readonly codeFolder: string;
}

/** Throws `bad_input` when not exactly one is given, `bad_component` when it does not compile. */
export async function resolveOrigin(
  options: OriginOptions,
  origin: Origin,
  steps: BuildOptions,
): Promise<Deployment> {
  const build = origin.install === undefined ? steps : { ...steps, install: origin.install };
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
    return options.components.build(
      await keepCode(options.codeFolder, origin.component_code),
      build,
    );
  }
  if (origin.component_id !== undefined) return savedDeployment(options, origin.component_id);
  const published = origin.key === undefined ? undefined : options.saved.published(origin.key);
  if (published !== undefined) return savedDeployment(options, published.componentId);
  throw new WeirError(
    'bad_input',
    `${unread(given[0])} is not read by this version. Give component_path with a local file, or the key of a component that was published here.`,
  );
}

function unread(origin: string | undefined): string {
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

async function keepCode(folder: string, code: string): Promise<string> {
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
