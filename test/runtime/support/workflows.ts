/** Workflows that tests deploy: folders with a `workflow.yaml` and the code of their steps. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Workflow } from '../../../src/protocol/catalogue.ts';
import type { SharedRuntime } from '../../support/runtime.ts';

export interface WorkflowFiles {
  readonly name: string;
  /** YAML of the list. */
  readonly triggers?: string;
  /** The same, with its key. */
  readonly settings?: string;
  /** Code of each step, by its namespace: what `run({ steps, $ })` does. */
  readonly steps: Readonly<Record<string, string>>;
}

/** Writes the folder and returns its path. */
export async function workflowFolder(
  { folder }: Pick<SharedRuntime, 'folder'>,
  { name, triggers, settings = '', steps }: WorkflowFiles,
): Promise<string> {
  const path = join(folder, 'workflows', name);
  const lines = Object.keys(steps).map(
    (namespace) => `  - namespace: ${namespace}\n    uses: ./${namespace}/entry.mjs\n`,
  );
  const head = `schema: workflow/2022.04\nname: ${name}\n${settings}`;
  const yaml = `${head}${triggers === undefined ? '' : `triggers:\n${triggers}\n`}steps:\n${lines.join('')}`;
  await write(join(path, 'workflow.yaml'), yaml);
  for (const [namespace, body] of Object.entries(steps)) {
    const code = `export default defineComponent({ async run({ steps, $ }) { ${body} } });\n`;
    await write(join(path, namespace, 'entry.mjs'), code);
  }
  return path;
}

export async function deployWorkflow(
  runtime: Pick<SharedRuntime, 'folder' | 'restData'>,
  files: WorkflowFiles,
): Promise<Workflow> {
  const workflow_path = await workflowFolder(runtime, files);
  return await runtime.restData<Workflow>('POST', '/v1/workflows', { workflow_path });
}

/** Of its first trigger. */
export function endpointOf({ triggers }: Workflow): string {
  return triggers.find(({ endpoint_url: url }) => url !== undefined)?.endpoint_url ?? '';
}

export const http = '  - uses: $.interface.http';

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
