/** Workflows as folders of files, for steps that are no modules. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StepRun, WholeExecution, Workflow } from '../../../src/protocol/catalogue.ts';
import { isAlive } from '../../support/is-alive.mts';
import type { RestAnswer, TestRuntime } from '../../support/runtime.ts';

type Runtime = Pick<TestRuntime, 'rest' | 'restData'> & { readonly folder: string };

export interface ScriptWorkflow {
  /** As the file has them (JSON is YAML). */
  readonly steps: readonly object[];
  /** By path within the workflow's folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: object;
  readonly triggers?: readonly object[];
}

let count = 0;

/** @returns its folder */
export async function writeWorkflow(
  { folder }: Pick<Runtime, 'folder'>,
  { files, ...rest }: ScriptWorkflow,
): Promise<string> {
  count += 1;
  const name = `workflow-${count}`;
  const own = join(folder, name);
  const all = {
    ...files,
    'workflow.yaml': JSON.stringify({ schema: 'workflow/2022.04', name, ...rest }, null, 2),
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(own, path)), { recursive: true });
    await writeFile(join(own, path), text);
  }
  return own;
}

export async function deployWorkflow(
  runtime: Runtime,
  workflow: ScriptWorkflow,
): Promise<Workflow> {
  const path = await writeWorkflow(runtime, workflow);
  return runtime.restData('POST', '/v1/workflows', { workflow_path: path });
}

/** For a deploy that is refused. */
export async function tryDeploy(
  runtime: Runtime,
  workflow: ScriptWorkflow,
  more: object = {},
): Promise<RestAnswer> {
  const path = await writeWorkflow(runtime, workflow);
  return runtime.rest('POST', '/v1/workflows', { workflow_path: path, ...more });
}

/** Starts it; resolves when it has ended, or waits. */
export function runWorkflow(
  runtime: Runtime,
  { id }: Pick<Workflow, 'id'>,
  event: unknown = {},
): Promise<WholeExecution> {
  return runtime.restData('POST', `/v1/workflows/${id}/executions`, { event, wait: true });
}

/** Starts it; resolves when it is on disk. */
export function beginWorkflow(
  runtime: Runtime,
  { id }: Pick<Workflow, 'id'>,
  event: unknown = {},
): Promise<WholeExecution> {
  return runtime.restData('POST', `/v1/workflows/${id}/executions`, { event });
}

/** The last run of the step at this path. */
export function stepOf(execution: WholeExecution, path: string): StepRun {
  const found = execution.steps.findLast((one) => one.path === path);
  if (found === undefined) {
    throw new Error(`${path} did not run: ${JSON.stringify([execution.error, execution.steps])}`);
  }
  return found;
}

export function logsOf({ logs }: StepRun): string[] {
  return logs
    .filter(({ kind }) => kind === 'console')
    .map(({ level, text }) => `${level}: ${text}`);
}

/** Waits until processes are gone. @returns those that are not after five seconds */
export async function stillAlive(pids: readonly number[]): Promise<number[]> {
  const end = performance.now() + 5000;
  for (;;) {
    const left = pids.filter(isAlive);
    if (left.length === 0 || performance.now() > end) return left;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
