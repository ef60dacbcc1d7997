import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Workflow } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import { workflowFileName } from './workflow-files.ts';
import type { WorkflowProblems } from './workflow-problems.ts';

/** Files whose change may be one of a workflow. */
export const workflowPartGlob = '**/*.{js,mjs,cjs,ts,mts,cts,json,py,sh,yaml}';
const partPattern = /\.(?:[cm]?[jt]s|json|py|sh|yaml)$/;
/** Folders beside the steps that are part of no deployment. */
const asidePattern = /[\\/](?:node_modules|\.weir|\.git|pins|tests)[\\/]/;

/**
 * Whether saving a file may have changed a workflow: the file is in its folder, even if nothing uses it yet, or went
 * into its code.
 */
export async function isPartOf(folder: Folder, workflow: Workflow, file: string): Promise<boolean> {
  if (!partPattern.test(file) || asidePattern.test(file)) return false;
  if (file.startsWith(workflow.path + path.sep)) return true;
  const client = await folder.link.ready();
  const { inputs = [] } = await client.call('workflows.get', {
    id: workflow.id,
    include_code: true,
  });
  return inputs.includes(await realpath(file).catch(() => file));
}

/**
 * Makes a new deployment of the current files: running executions continue with their code.
 * @throws WeirError as the deploy does, with its marks set
 */
export async function updateWorkflow(
  problems: WorkflowProblems,
  folder: Folder,
  workflow: Workflow,
  { debug }: { readonly debug: boolean },
): Promise<void> {
  const file = path.join(workflow.path, workflowFileName);
  const client = await folder.link.ready();
  await problems.during(file, () =>
    client.call('workflows.deploy', { workflow_path: file, ...(debug && { debug }) }),
  );
}
