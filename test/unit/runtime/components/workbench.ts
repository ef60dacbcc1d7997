/** Real files and a real Node process for the tests of the components room. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  type ComponentsOptions,
  createComponents,
} from '../../../../src/runtime/components/deployments/components.ts';
import type {
  Components,
  Deployment,
} from '../../../../src/runtime/components/deployments/deployment.ts';
import { temporaryFolder } from '../../../support/folder.ts';

export interface Workbench {
  /** A project folder whose path has spaces and letters beyond ASCII, and URL syntax. */
  readonly project: string;
  /** `<data>`, inside the project as for users. */
  readonly data: string;
  readonly components: Components;
  /** Writes files below the project and returns the path of the first. */
  readonly write: (files: Readonly<Record<string, string>>) => Promise<string>;
}

export type WorkbenchOptions = Partial<ComponentsOptions>;

export async function workbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const project = join(temporaryFolder(), 'mein Projekt #1 – ünï%20');
  const data = join(project, '.weir');
  const components = createComponents({
    folder: join(data, 'deployments'),
    packagesFolder: join(data, 'packages'),
    hosts: { start: () => Promise.reject(new Error('no host in this test')) },
    ...options,
  });
  return {
    project,
    data,
    components,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        const path = join(project, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, content);
      }
      return join(project, Object.keys(files)[0] ?? '');
    },
  };
}

/**
 * Imports a deployment in a Node process of its own, as a component host does, and returns what a
 * function makes of the component there, by way of JSON.
 *
 * @param look the function's text
 */
export async function evaluate(deployment: Deployment, look: string): Promise<unknown> {
  const url = pathToFileURL(deployment.bundle).href;
  const script = `
    const { default: component } = await import(${JSON.stringify(url)});
    console.log(JSON.stringify(await (${look})(component)));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ]);
  return JSON.parse(stdout);
}

/** What its `run()` returns. */
export function run(deployment: Deployment): Promise<unknown> {
  return evaluate(deployment, '(component) => component.run()');
}
