/** Finds the needs of a workspace's imported workflows that are missing here. Nothing of them is run. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { stepsIn } from '../../../workflow-file/steps-in.ts';
import { yamlValues } from '../../../workflow-file/yaml-values.ts';
import { isRecord } from '../../../protocol/record.ts';
import type { UsesStore } from '../../store/store.ts';
import { stepCodeOf } from '../file/uses.ts';
import { findWorkflows } from '../import/find-workflows.ts';
import { importRecordName } from '../import/import-record.ts';
import { accountFindings, inspectFolder, type InspectOptions } from '../import/inspect-folder.ts';
import { originalFileName } from '../import/write-workflow.ts';
import type { Needs } from './plan.ts';

export interface NeedsOptions
  extends Omit<InspectOptions, 'store'>, UsesStore<'sources' | 'workflows' | 'dataStores'> {
  readonly now: () => number;
}

/** The needs of each workflow of the workspace that came from the platform. */
export async function needsOfWorkspace(
  options: NeedsOptions,
  signal: AbortSignal,
): Promise<Needs[]> {
  const inspected = [];
  for (const folder of await findWorkflows(options.workspace, signal)) {
    const found = await inspectFolder(options, folder, signal);
    if (found.id === null && !(await wasImported(folder))) continue;
    inspected.push({ folder, found });
  }
  const all = inspected.flatMap(({ found }) => found.accounts);
  const needs: Needs[] = [];
  for (const { folder, found } of inspected) {
    const file = join(folder, 'workflow.yaml');
    const missing = new Set(
      accountFindings(options, file, found.accounts, all).flatMap(({ question }) =>
        question?.kind === 'account' ? [question.id] : [],
      ),
    );
    const accounts = found.accounts
      .filter(({ id }) => missing.has(id))
      .map(({ id, app, at }) => ({ id, app, step: at.step }));
    const variables = found.findings.flatMap(({ question }) =>
      question?.kind === 'variable' ? [question.name] : [],
    );
    needs.push({ workflow: found.name, accounts, variables, ...(await dataOf(options, file)) });
  }
  return needs;
}

async function wasImported(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.includes(originalFileName) || names.includes(importRecordName);
}

/** The data stores without a record here, and whether a step opens files. */
async function dataOf(
  { store: { dataStores }, now }: NeedsOptions,
  file: string,
): Promise<Pick<Needs, 'stores' | 'files'>> {
  const root = yamlValues((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')).root?.value;
  const stores: { id: string; step: string }[] = [];
  let files = false;
  for (const { step, namespace } of stepsIn(root)) {
    for (const id of storesIn(step['props'])) {
      const here = dataStores.find(id);
      const isEmpty = here === undefined || (await dataStores.count(here.id, now())) === 0;
      if (isEmpty) stores.push({ id, step: namespace });
    }
    files ||= await opensFiles(step['uses'], file);
  }
  return { stores, files };
}

/** `{storeId: ds_…}`, or the id alone. */
function storesIn(props: unknown): string[] {
  if (!isRecord(props)) return [];
  return Object.values(props).flatMap((value) => {
    const id = isRecord(value) ? value['storeId'] : value;
    return typeof id === 'string' && /^ds_\w+$/.test(id) ? [id] : [];
  });
}

async function opensFiles(uses: unknown, file: string): Promise<boolean> {
  if (typeof uses !== 'string') return false;
  const code = stepCodeOf(uses);
  if (!('path' in code)) return false;
  const text = await readFile(resolve(dirname(file), code.path), 'utf8').catch(() => '');
  return /\$\.files\b/.test(text);
}
