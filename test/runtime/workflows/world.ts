/** A real runtime with workflows that a test writes as it needs them, and the calls that tests of workflows make. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll } from 'vitest';
import type {
  Execution,
  Page,
  StepRun,
  WholeExecution,
  Workflow,
} from '../../../src/protocol/catalogue.ts';
import { type AtEnd, atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type RestAnswer, startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';

/** A step as the file has it, with its code in place of `uses`. */
export interface TestStep {
  readonly namespace: string;
  /** The body of `async run({ steps, $ })`. */
  readonly run?: string;
  /** The whole module. */
  readonly code?: string;
  readonly branches?: readonly {
    readonly name: string;
    readonly when?: unknown;
    readonly steps?: readonly TestStep[];
  }[];
  readonly else?: { readonly steps?: readonly TestStep[] };
  readonly steps?: readonly TestStep[];
  readonly [key: string]: unknown;
}

export interface TestWorkflow {
  readonly name?: string;
  readonly settings?: object;
  readonly triggers?: readonly object[];
  readonly steps: readonly TestStep[];
  readonly [key: string]: unknown;
}

export const httpTrigger = { uses: '$.interface.http', props: { response: 'default' } };
export const respondingTrigger = { uses: '$.interface.http', props: { response: 'workflow' } };

const final = new Set(['succeeded', 'failed', 'cancelled', 'crashed', 'timed_out', 'dropped']);

export class WorkflowWorld {
  runtime!: TestRuntime;
  /** Holds the runtime's data, its key, and the workflows' folders. */
  folder!: string;
  #count = 0;
  readonly #args: readonly string[];
  readonly #atEnd: AtEnd;

  constructor(args: readonly string[], atEnd: AtEnd) {
    this.#args = args;
    this.#atEnd = atEnd;
  }

  async open(): Promise<void> {
    this.folder = temporaryFolder(this.#atEnd);
    await this.start();
  }

  /** Starts the runtime again, on what the one before it left. */
  async start(): Promise<void> {
    const { folder } = this;
    this.runtime = await startRuntime({ folder, args: this.#args, atEnd: this.#atEnd });
  }

  /** kill -9, and the next one. */
  async restart(): Promise<void> {
    await this.runtime.kill();
    await this.start();
  }

  /** Writes `workflow.yaml` (JSON is YAML) and the code of its steps. @returns the folder */
  async write(workflow: TestWorkflow, name = `workflow-${(this.#count += 1)}`): Promise<string> {
    const folder = join(this.folder, name);
    await mkdir(folder, { recursive: true });
    const { steps, ...rest } = workflow;
    const file = {
      schema: 'workflow/2022.04',
      name,
      ...rest,
      steps: await writeSteps(folder, steps),
    };
    await writeFile(join(folder, 'workflow.yaml'), JSON.stringify(file, null, 2));
    return folder;
  }

  async deploy(workflow: TestWorkflow, name?: string): Promise<Workflow> {
    return this.deployFolder(await this.write(workflow, name));
  }

  deployFolder(folder: string): Promise<Workflow> {
    return this.runtime.restData('POST', '/v1/workflows', { workflow_path: folder });
  }

  /** Starts one by hand; resolves when it is on disk. */
  begin({ id }: Workflow, event?: unknown): Promise<WholeExecution> {
    return this.runtime.restData('POST', `/v1/workflows/${id}/executions`, { event });
  }

  /** Starts one by hand; resolves when it has ended, or is paused. */
  run({ id }: Workflow, event?: unknown): Promise<WholeExecution> {
    return this.runtime.restData('POST', `/v1/workflows/${id}/executions`, { event, wait: true });
  }

  execution(id: string): Promise<WholeExecution> {
    return this.runtime.restData('GET', `/v1/executions/${id}`);
  }

  /** Newest first. */
  async executions({ id }: Workflow): Promise<Execution[]> {
    const all: Execution[] = [];
    for (let after = ''; ;) {
      const path = `/v1/workflows/${id}/executions?limit=100${after}`;
      const { body } = await this.runtime.rest('GET', path);
      const { data, page_info: info } = body as Page<Execution>;
      all.push(...data);
      if (data.length < 100 || info.end_cursor === null) return all;
      after = `&after=${info.end_cursor}`;
    }
  }

  /** Waits until it has this status. */
  becomes(id: string, ...statuses: readonly string[]): Promise<WholeExecution> {
    return until(`${id} to be ${statuses.join(' or ')}`, async (seen) => {
      const execution = await this.execution(id);
      seen([
        execution.status,
        execution.error,
        execution.steps.map(({ path, status }) => [path, status]),
      ]);
      return statuses.includes(execution.status) && execution;
    });
  }

  ended(id: string): Promise<WholeExecution> {
    return this.becomes(id, ...final);
  }

  /** Waits until so many executions of it have ended, and none is left. @returns oldest first */
  async allEnded(workflow: Workflow, count: number, ms = 30_000): Promise<Execution[]> {
    return until(
      `${count} executions to end`,
      async (seen) => {
        const all = await this.executions(workflow);
        seen(countOf(all));
        return (
          all.length >= count && all.every(({ status }) => final.has(status)) && all.toReversed()
        );
      },
      ms,
    );
  }

  cancel(id: string): Promise<RestAnswer> {
    return this.runtime.rest('POST', `/v1/executions/${id}/cancel`);
  }

  resume(id: string, body: object = {}): Promise<RestAnswer> {
    return this.runtime.rest('POST', `/v1/executions/${id}/resume`, body);
  }
}

/** Call once, at the top of a test file. */
export function workflowWorld(...args: string[]): WorkflowWorld {
  const world = new WorkflowWorld(args, atEndOfSuite());
  beforeAll(() => world.open());
  return world;
}

export function endpointOf({ name, triggers }: Workflow): string {
  const url = triggers.find((one) => one.endpoint_url !== undefined)?.endpoint_url;
  if (url === undefined) throw new Error(`${name} has no endpoint`);
  return url;
}

/** The runs of the step at this path, in order. */
export function runsOf({ steps }: WholeExecution, path: string): StepRun[] {
  return steps.filter((one) => one.path === path);
}

/** Its last run. */
export function stepOf(execution: WholeExecution, path: string): StepRun {
  const found = runsOf(execution, path).at(-1);
  if (found === undefined) throw new Error(`${execution.id} has no run of ${path}`);
  return found;
}

/** How many executions have each status. */
export function countOf(executions: readonly Execution[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of executions) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function writeSteps(folder: string, steps: readonly TestStep[]): Promise<object[]> {
  const written: object[] = [];
  for (const step of steps) written.push(await writeStep(folder, step));
  return written;
}

async function writeStep(
  folder: string,
  { run, code, branches, steps, else: otherwise, ...rest }: TestStep,
): Promise<object> {
  const text = code ?? (run === undefined ? undefined : moduleOf(run));
  const uses = `./${rest.namespace}/entry.mjs`;
  if (text !== undefined) {
    const file = join(folder, uses);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return {
    ...(text !== undefined && { uses }),
    ...rest,
    ...(steps !== undefined && { steps: await writeSteps(folder, steps) }),
    ...(branches !== undefined && {
      branches: await Promise.all(
        branches.map(async (branch) => ({
          ...branch,
          steps: await writeSteps(folder, branch.steps ?? []),
        })),
      ),
    }),
    ...(otherwise !== undefined && {
      else: { ...otherwise, steps: await writeSteps(folder, otherwise.steps ?? []) },
    }),
  };
}

function moduleOf(run: string): string {
  return `export default defineComponent({ async run({ steps, $ }) {\n${run}\n} });\n`;
}
