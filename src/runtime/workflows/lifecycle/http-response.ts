/** How an HTTP trigger answers of which the file does not say it. */
import { readFile } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import type { WorkflowDefinition } from '../../../protocol/workflow.ts';
import type { Components, Deployment } from '../../components/deployments/deployment.ts';
import type { ResolvedComponents } from './resolve-steps.ts';

export interface ResponseOptions {
  readonly components: Pick<Components, 'get'>;
  readonly scripts: {
    /** Folder of the built files, some of which are part of every step in Python or Bash. */
    readonly dist: string;
  };
}

/** What the file leaves open and the code of its steps tells: those of the platform do not say how a trigger answers. */
export async function withResponse(
  options: ResponseOptions,
  definition: WorkflowDefinition,
  resolved: ResolvedComponents,
): Promise<WorkflowDefinition> {
  const isOpen = definition.triggers.some(
    (trigger) => trigger.type === 'http' && trigger.response === undefined,
  );
  if (!isOpen) return definition;
  const response = (await mayRespond(options, resolved)) ? 'workflow' : 'default';
  return {
    ...definition,
    triggers: definition.triggers.map((trigger) =>
      trigger.type === 'http' ? { ...trigger, response: trigger.response ?? response } : trigger,
    ),
  };
}

async function mayRespond(
  { components, scripts }: ResponseOptions,
  resolved: ResolvedComponents,
): Promise<boolean> {
  for (const { hash } of resolved.values()) {
    const deployment = await components.get(hash);
    if (deployment !== undefined && (await callsRespond(deployment, scripts.dist))) return true;
  }
  return false;
}

/**
 * Packages in the bundle may have methods of that name, so the step's own files are looked at while they are there. The
 * bundle stands for a component that is in a package itself.
 */
async function callsRespond({ bundle, path, inputs }: Deployment, dist: string): Promise<boolean> {
  const own = new Set([...(path === null ? [] : [path]), ...inputs]);
  const files = [...own].filter((file) => dirname(file) !== dist);
  const texts = await Promise.all(files.map(textOf));
  const isWhole =
    texts.length > 0 &&
    texts.every((text) => text !== undefined) &&
    path?.includes(`${sep}node_modules${sep}`) !== true;
  const looked = isWhole ? texts : [await textOf(bundle)];
  return looked.some((text) => /\.respond\s*\(/.test(text ?? ''));
}

function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
