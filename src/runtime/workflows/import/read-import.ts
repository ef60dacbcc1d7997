/** Reads an import from its origin: a folder, a repository, a ZIP or an API. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { submodulesHint } from '../../../protocol/import-states.ts';
import { clone, withoutPassword } from './clone.ts';
import { exportedWorkflow, type ExportedWorkflow } from './exported-workflow.ts';
import { workflowFromApi } from './platform-api.ts';
import { readJson } from './read-json.ts';
import { readZip } from './read-zip.ts';
import { missingSubmodules } from './submodules.ts';
import { type FileOnDisk, filesIn } from './write-files.ts';
import { originalText } from './write-workflow.ts';

/** The origin of the workflows. */
export type ImportFrom =
  | { readonly kind: 'folder' | 'zip'; readonly path: string }
  | { readonly kind: 'git'; readonly url: string; readonly branch?: string | undefined }
  | {
      readonly kind: 'api';
      readonly url: string;
      readonly key: string;
      readonly orgId?: string | undefined;
      readonly workflowIds: readonly string[];
    };

/** The workflows that were found, before anything is written. */
export interface Found {
  /** Whole trees of files, by their path. */
  readonly files: ReadonlyMap<string, FileOnDisk>;
  readonly exported: readonly { readonly workflow: ExportedWorkflow; readonly original: string }[];
  /** Named by the export, and not in it. */
  readonly leftOut: readonly { readonly name: string; readonly id: string | null }[];
  readonly others: readonly string[];
  /** Files that may hold a workflow, but cannot be read. */
  readonly unread: readonly Unread[];
  /** Paths of git submodules that have no files here. */
  readonly submodules: readonly string[];
}

export interface Unread {
  /** A file of the export, or the id of a workflow. */
  readonly name: string;
  readonly id: string | null;
  /** One sentence. */
  readonly message: string;
}

export const nothing: Found = {
  files: new Map(),
  exported: [],
  leftOut: [],
  others: [],
  unread: [],
  submodules: [],
};

/**
 * Reads what is to be imported; nothing is written.
 * @throws WeirError `bad_input` for what cannot be read, with what to change; `cancelled`
 */
export async function readImport(
  from: ImportFrom,
  temporary: string,
  signal: AbortSignal,
): Promise<Found> {
  switch (from.kind) {
    case 'folder':
      return {
        ...nothing,
        files: await filesIn(from.path),
        submodules: await missingSubmodules(from.path),
      };
    case 'git':
      return readRepository(from.url, from.branch, temporary, signal);
    case 'zip':
      return readExport(await readZip(from.path, temporary, signal), from.path);
    case 'api':
      return readApi(from, signal);
  }
}

async function readRepository(
  url: string,
  branch: string | undefined,
  temporary: string,
  signal: AbortSignal,
): Promise<Found> {
  const folder = join(temporary, 'repository');
  await clone(url, branch, folder, signal);
  const files = await filesIn(folder);
  const submodules = await missingSubmodules(folder);
  if ([...files.keys()].some(isWorkflowFile)) return { ...nothing, files, submodules };
  const where =
    submodules.length === 0 ? '' : ` Its submodules were not fetched. ${submodulesHint}`;
  const message = `${withoutPassword(url)} has no workflow.yaml in any folder.${where}`;
  throw new WeirError('bad_input', message);
}

function isWorkflowFile(path: string): boolean {
  return path === 'workflow.yaml' || path.endsWith('/workflow.yaml');
}

/** An exported workflow with all its code; what is larger is data of somebody, and no workflow. */
const mostJsonBytes = 16 * 1024 * 1024;
/** All that is read of an export at once. */
const mostTextBytes = 64 * 1024 * 1024;

/** A project export, or a packed git-sync folder: both may be in one. */
async function readExport(all: ReadonlyMap<string, FileOnDisk>, path: string): Promise<Found> {
  const folders = [...all.keys()]
    .filter(isWorkflowFile)
    .map((one) => one.slice(0, -'workflow.yaml'.length));
  const isInFolder = (one: string): boolean => folders.some((folder) => one.startsWith(folder));
  const files = new Map([...all].filter(([one]) => isInFolder(one)));
  const exported: Found['exported'][number][] = [];
  const others: string[] = [];
  const unread: Unread[] = [];
  let leftOut: Found['leftOut'] = [];
  let total = 0;
  for (const [one, { file, size }] of all) {
    if (isInFolder(one)) continue;
    const isText = one.endsWith('.json') && size <= mostJsonBytes;
    if (isText) total += size;
    if (total > mostTextBytes) {
      const limit = `${mostTextBytes / 1024 / 1024} MB`;
      throw new WeirError(
        'bad_input',
        `${path} has more than ${limit} of JSON. Import it in parts.`,
      );
    }
    const data = isText ? await readFile(file) : undefined;
    const read = data === undefined ? undefined : readJson(data);
    if (read !== undefined && 'wrong' in read) {
      unread.push({
        name: one,
        id: idIn(one, data ?? new Uint8Array()),
        message: `${one} ${read.wrong}`,
      });
      continue;
    }
    const { value, text } = read ?? { value: undefined, text: '' };
    if (value !== undefined && basename(one) === 'manifest.json') {
      leftOut = namedIn(value);
      continue;
    }
    const folder = one.slice(0, one.lastIndexOf('/') + 1);
    const workflow = exportedWorkflow(value, basename(one, '.json'), (named) =>
      textAt(all, folder, named),
    );
    if (workflow === undefined) others.push(one);
    else exported.push({ workflow, original: originalText(value, text) });
  }
  // Code that a workflow took from a file of its own.
  const used = new Set(exported.flatMap(({ workflow }) => [...workflow.files.values()]));
  const unused: string[] = [];
  for (const one of others) {
    const { file, size } = all.get(one) ?? { file: '', size: Infinity };
    const code = size > mostCodeBytes ? undefined : (await readFile(file, 'utf8')).trimEnd();
    if (code === undefined || !used.has(`${code}\n`)) unused.push(one);
  }
  if (files.size > 0 || exported.length > 0 || unread.length > 0) {
    return { ...nothing, files, exported, leftOut, others: unused, unread };
  }
  throw new WeirError(
    'bad_input',
    `${path} has neither a workflow.yaml nor the JSON of a workflow: is it the export of a project?`,
  );
}

/** Code of one step in a file of its own. */
const mostCodeBytes = 2 * 1024 * 1024;

/** The id of the workflow that a file seems to hold, so that a manifest's list does not call it left out. */
function idIn(name: string, data: Uint8Array): string | null {
  const text = Buffer.from(data).toString('latin1').replaceAll('\0', '');
  const found = /"(p_[0-9A-Za-z]+)"/.exec(text) ?? /\b(p_[0-9A-Za-z]+)/.exec(name);
  return found?.[1] ?? null;
}

/** A short text may be the path of a file of the export. */
function textAt(
  all: ReadonlyMap<string, FileOnDisk>,
  folder: string,
  named: string,
): string | undefined {
  if (named.length > 500 || named.includes('\n')) return undefined;
  const clean = named.replace(/^\.?\//, '');
  const found = all.get(folder + clean) ?? all.get(clean);
  return found === undefined || found.size > mostCodeBytes
    ? undefined
    : readFileSync(found.file, 'utf8');
}

/** Every workflow that a manifest names, however deep. */
function namedIn(value: unknown): { name: string; id: string | null }[] {
  if (Array.isArray(value)) return value.flatMap(namedIn);
  if (typeof value !== 'object' || value === null) return [];
  const record = value as Readonly<Record<string, unknown>>;
  const id =
    ['id', 'workflow_id', 'workflowId'].map((key) => record[key]).find(isWorkflowId) ?? null;
  const name = record['name'] ?? record['title'];
  if (id !== null) return [{ name: typeof name === 'string' ? name : id, id }];
  return Object.values(record).flatMap(namedIn);
}

function isWorkflowId(value: unknown): value is string {
  return typeof value === 'string' && /^p_[0-9A-Za-z]+$/.test(value);
}

async function readApi(
  { url, key, orgId, workflowIds }: Extract<ImportFrom, { readonly kind: 'api' }>,
  signal: AbortSignal,
): Promise<Found> {
  if (workflowIds.length === 0) {
    throw new WeirError(
      'bad_input',
      'The API lists no workflows: name each by its id (p_…), as it stands in the address of its page and in .workflow.state.',
    );
  }
  const exported: Found['exported'][number][] = [];
  const unread: Unread[] = [];
  for (const id of workflowIds) {
    try {
      const answer = await workflowFromApi({ url, key, orgId, signal }, id);
      const workflow = exportedWorkflow(answer, id);
      if (workflow === undefined) {
        const message = `What the API answers for ${id} has neither steps nor triggers.`;
        throw new WeirError('bad_input', message);
      }
      const original = originalText(answer, `${JSON.stringify(answer, null, 2)}\n`);
      exported.push({ workflow: { ...workflow, id: workflow.id ?? id }, original });
    } catch (error) {
      // A failed workflow does not stop the others; if all fail, the reason of the first is the answer.
      if (!WeirError.is(error, 'bad_input') || workflowIds.length === 1) throw error;
      unread.push({ name: id, id, message: error.message });
    }
  }
  const [first] = unread;
  if (exported.length === 0 && first !== undefined) throw new WeirError('bad_input', first.message);
  return { ...nothing, exported, unread };
}
