/** How an HTTP trigger answers of which the file does not say it. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { WorkflowDefinition } from '../../../protocol/workflow.ts';
import { callsRespond, computesDollar, handsOnDollar } from './hands-on-dollar.ts';
import type { Components, Deployment } from '../../components/deployments/deployment.ts';
import type { ResolvedComponents } from './resolve-steps.ts';

export interface ResponseOptions {
  readonly components: Pick<Components, 'get'>;
  readonly scripts: {
    /** Folder of the built files, some of which are part of every step in Python or Bash. */
    readonly dist: string;
  };
}

/**
 * Files of the platform do not say how a trigger answers. Whether a step responds is known from its run (P25.114): the
 * caller waits for it. Where no text of the steps names `respond`, reads `$` by a computed name or hands it to a package
 * that responds, none can, and nobody has to wait.
 */
export async function withResponse(
  options: ResponseOptions,
  definition: WorkflowDefinition,
  resolved: ResolvedComponents,
): Promise<WorkflowDefinition> {
  const leavesOpen = definition.triggers.some(
    (trigger) => trigger.type === 'http' && trigger.response === undefined,
  );
  if (!leavesOpen) return definition;
  const answers = (await mayRespond(options, resolved))
    ? ({ response: 'workflow', isOpen: true } as const)
    : ({ response: 'default' } as const);
  return {
    ...definition,
    triggers: definition.triggers.map((trigger) =>
      trigger.type === 'http' && trigger.response === undefined
        ? { ...trigger, ...answers }
        : trigger,
    ),
  };
}

async function mayRespond(
  { components, scripts }: ResponseOptions,
  resolved: ResolvedComponents,
): Promise<boolean> {
  for (const { hash } of resolved.values()) {
    const deployment = await components.get(hash);
    if (deployment !== undefined && (await namesRespond(deployment, scripts.dist))) return true;
  }
  return false;
}

/**
 * Packages in the bundle may have methods of that name, so that callers would wait for nothing: the step's own files are
 * looked at while they are there. The bundle stands for a component that is in a package itself.
 */
async function namesRespond({ bundle, path, inputs }: Deployment, dist: string): Promise<boolean> {
  const own = new Set([...(path === null ? [] : [path]), ...inputs]);
  const beside = path?.endsWith('.py') === true ? await modulesBeside(dirname(path)) : [];
  const files = [...own, ...beside].filter((file) => dirname(file) !== dist);
  const texts = await Promise.all(files.map(textOf));
  const isWhole =
    texts.length > 0 &&
    texts.every((text) => text !== undefined) &&
    path?.includes(`${sep}node_modules${sep}`) !== true;
  const looked = isWhole ? texts : [await textOf(bundle)];
  if (looked.some((text) => /\brespond\b/.test(text ?? ''))) return true;
  // No word says it; its `$` may still come to a package that responds, or be read by a name that is computed.
  if (looked.some((text) => computesDollar(text ?? ''))) return true;
  if (!looked.some((text) => handsOnDollar(text ?? ''))) return false;
  return callsRespond((await textOf(bundle)) ?? '');
}

/** Modules that a Python step may import are not part of its bundle. */
async function modulesBeside(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names
    .filter((name) => name.endsWith('.py') && !/(?:^|[/\\])(?:\.|site-packages)/.test(name))
    .map((name) => join(folder, name));
}

function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
