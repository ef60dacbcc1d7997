/** Workflows of a folder, a repository, an export or an API, put where they run, and what is left to do for that. */
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { writeInside } from '../../base/write-inside.ts';
import type { TaskContext } from '../../components/load.ts';
import type { FolderCheck } from '../lifecycle/check-folder.ts';
import type { Change } from './compare.ts';
import { clone, repositoryName, withoutPassword } from './clone.ts';
import { deployFindings } from './deploy-findings.ts';
import { exportedWorkflow, type ExportedWorkflow } from './exported-workflow.ts';
import { withTriggersOf } from './fill-triggers.ts';
import { findWorkflows } from './find-workflows.ts';
import { inspectFolder, type InspectOptions } from './inspect-folder.ts';
import { workflowFromApi } from './platform-api.ts';
import { readZip } from './read-zip.ts';
import { type ImportedWorkflow, type ImportReport, stateOf } from './report.ts';
import { importRecordName } from './import-record.ts';
import { filesOf, folderNameOf, originalFileName, originalText } from './write-workflow.ts';
import {
  type FileOnDisk,
  filesIn,
  requireNoLink,
  writeFiles,
  type Written,
} from './write-files.ts';

/** Where the workflows are. */
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

export interface ImportRequest {
  readonly from: ImportFrom;
  /** Absolute; a folder that is imported stays where it is without it. */
  readonly to: string | undefined;
  /** Whether files that are here with other content are overwritten. */
  readonly replace: boolean;
  /** Its questions were answered meanwhile, in the files: that they differ is no news. */
  readonly answered: boolean;
}

export interface ImportOptions extends InspectOptions {
  /** Whether a deploy of the folder would succeed: see `Workflows.check`. */
  readonly check: (
    folder: string,
    mayEvaluate: (path: string | null) => boolean,
    context: TaskContext,
  ) => Promise<FolderCheck>;
}

export interface ImportContext {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** What was found before anything is written. */
interface Found {
  /** Whole trees of files, by their path. */
  readonly files: ReadonlyMap<string, FileOnDisk>;
  readonly exported: readonly { readonly workflow: ExportedWorkflow; readonly original: string }[];
  /** Named by the export, and not in it. */
  readonly leftOut: readonly { readonly name: string; readonly id: string | null }[];
  readonly others: readonly string[];
}

const nothing: Found = { files: new Map(), exported: [], leftOut: [], others: [] };

/**
 * Nothing of what is imported is run. The same import again changes nothing.
 * @throws WeirError `bad_input` for what cannot be read, with what to change; `cancelled`
 */
export async function importWorkflows(
  options: ImportOptions,
  { from, to, replace, answered }: ImportRequest,
  context: ImportContext,
): Promise<ImportReport> {
  const { signal } = context;
  if (from.kind === 'folder') await requireFolder(from.path);
  const isInPlace = from.kind === 'folder' && (to === undefined || to === from.path);
  const target = to ?? (from.kind === 'folder' ? from.path : join(options.workspace, nameOf(from)));
  context.progress('Reading');
  const temporary = await mkdtemp(join(tmpdir(), 'weir-import-'));
  let found: Found = nothing;
  let before: readonly string[];
  let changed: Written;
  try {
    if (!isInPlace) found = await read(from, temporary, signal);
    // Where nobody says where, a workflow is looked for in the whole workspace: an export may fill in a folder of git-sync.
    const isAnywhere = to === undefined && found.exported.length > 0;
    before = await findAll(isAnywhere ? [target, options.workspace] : [target], signal);
    changed = await write(found, target, before, replace, signal);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  const { written, kept } = changed;
  const touched = new Set(
    [...written, ...kept.map(({ file }) => file)].map((file) => dirname(file)),
  );
  const ids = new Set(found.exported.map(({ workflow }) => workflow.id));
  const inTarget = await findWorkflows(target, signal);
  const folders = [...inTarget];
  for (const folder of before) {
    if (inTarget.includes(folder)) continue;
    const id = await idOf(folder);
    if (touched.has(folder) || (id !== undefined && ids.has(id))) folders.push(folder);
  }
  const mayEvaluate = await outside(target);
  const texts = new Map(
    found.exported.map(({ workflow }) => [workflow.id ?? workflow.name, workflow]),
  );
  const workflows: ImportedWorkflow[] = [];
  for (const [index, folder] of folders.entries()) {
    context.progress(`Looking at workflow ${index + 1} of ${folders.length}`);
    workflows.push(await lookAt(options, folder, texts, mayEvaluate, context));
  }
  const missing = found.leftOut.filter(
    ({ id, name }) => !workflows.some((one) => (id === null ? one.name === name : one.id === id)),
  );
  return {
    workflows: [
      ...workflows,
      ...missing.map(({ name, id }) => ({
        name,
        id,
        folder: null,
        state: 'left_out' as const,
        findings: [],
        notUnderstood: [],
      })),
    ],
    written,
    kept: answered ? kept.filter(({ file, change }) => !isAnswer(file, change)) : kept,
    others: found.others,
  };
}

async function lookAt(
  options: ImportOptions,
  folder: string,
  exported: ReadonlyMap<string, ExportedWorkflow>,
  mayEvaluate: (path: string | null) => boolean,
  { signal }: ImportContext,
): Promise<ImportedWorkflow> {
  const { name, id, findings } = await inspectFolder(options, folder, signal);
  const origin = exported.get(id ?? name) ?? exported.get(name);
  const file = join(folder, 'workflow.yaml');
  const remarks = (origin?.remarks ?? []).map(
    (message) => ({ state: 'answer', message, file, line: 1, step: null }) as const,
  );
  const check = await options.check(folder, mayEvaluate, { signal, progress: () => undefined });
  const all = [...findings, ...remarks, ...deployFindings(check, file, findings)];
  const notUnderstood = origin?.notUnderstood ?? [];
  return { name, id, folder, state: stateOf(all), findings: all, notUnderstood };
}

/** What an answer changes differs from what was imported, and is no news. */
function isAnswer(file: string, change: Change): boolean {
  return basename(file) === 'workflow.yaml' && (change === 'edited' || change === 'unknown');
}

async function findAll(roots: readonly string[], signal: AbortSignal): Promise<string[]> {
  const found = new Set<string>();
  for (const root of roots) for (const one of await findWorkflows(root, signal)) found.add(one);
  return [...found];
}

/** Nothing of what is imported is run: code below this folder is read by a parser. */
async function outside(folder: string): Promise<(path: string | null) => boolean> {
  const roots = [folder, await realpath(folder).catch(() => folder)];
  return (path) => path === null || roots.every((root) => relative(root, path).startsWith('..'));
}

async function requireFolder(path: string): Promise<void> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new WeirError('bad_input', `There is no folder ${path}.`);
}

function nameOf(from: Exclude<ImportFrom, { readonly kind: 'folder' }>): string {
  if (from.kind === 'git') return repositoryName(from.url);
  return 'workflows';
}

/** @param temporary an empty folder, for what is unpacked and cloned */
async function read(from: ImportFrom, temporary: string, signal: AbortSignal): Promise<Found> {
  switch (from.kind) {
    case 'folder':
      return { ...nothing, files: await filesIn(from.path) };
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
  if ([...files.keys()].some(isWorkflowFile)) return { ...nothing, files };
  throw new WeirError('bad_input', `${withoutPassword(url)} has no workflow.yaml in any folder.`);
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
  let leftOut: Found['leftOut'] = [];
  let read = 0;
  for (const [one, { file, size }] of all) {
    if (isInFolder(one)) continue;
    const isText = one.endsWith('.json') && size <= mostJsonBytes;
    if (isText) read += size;
    if (read > mostTextBytes) {
      const limit = `${mostTextBytes / 1024 / 1024} MB`;
      throw new WeirError(
        'bad_input',
        `${path} has more than ${limit} of JSON. Import it in parts.`,
      );
    }
    const text = isText ? await readFile(file, 'utf8') : '';
    const value = isText ? parsed(text) : undefined;
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
  if (files.size > 0 || exported.length > 0) return { files, exported, leftOut, others: unused };
  throw new WeirError(
    'bad_input',
    `${path} has neither a workflow.yaml nor the JSON of a workflow: is it the export of a project?`,
  );
}

/** Code of one step in a file of its own. */
const mostCodeBytes = 2 * 1024 * 1024;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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
  for (const id of workflowIds) {
    const answer = await workflowFromApi({ url, key, orgId, signal }, id);
    const workflow = exportedWorkflow(answer, id);
    if (workflow === undefined) {
      throw new WeirError(
        'bad_input',
        `What the API answers for ${id} has neither steps nor triggers.`,
      );
    }
    const original = originalText(answer, `${JSON.stringify(answer, null, 2)}\n`);
    exported.push({ workflow: { ...workflow, id: workflow.id ?? id }, original });
  }
  return { ...nothing, exported };
}

/**
 * Files are compared with those here one by one. An export of a workflow that git-sync wrote fills in what its file does
 * not say.
 * @param before the folders of the workflows that are here already
 */
async function write(
  { files, exported }: Found,
  target: string,
  before: readonly string[],
  replace: boolean,
  signal: AbortSignal,
): Promise<Written> {
  const all: Written[] = [await writeFiles(target, files, { replace })];
  const known = new Map<string, string>();
  for (const folder of [
    ...(files.size > 0 ? await findWorkflows(target, signal) : []),
    ...before,
  ]) {
    const id = await idOf(folder);
    if (id !== undefined && !known.has(id)) known.set(id, folder);
  }
  for (const { workflow, original } of exported) {
    const here = workflow.id === undefined ? undefined : known.get(workflow.id);
    if (here !== undefined && !(await isExported(here))) {
      all.push(await fillIn(join(here, 'workflow.yaml'), workflow));
      continue;
    }
    const folder = here ?? join(target, folderNameOf(workflow));
    if (here === undefined) await requireNoLink(target, folderNameOf(workflow));
    all.push(await writeFiles(folder, filesOf(workflow, original), { replace }));
  }
  return {
    written: all.flatMap(({ written }) => written),
    kept: all.flatMap(({ kept }) => kept),
  };
}

async function isExported(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.includes(originalFileName) || names.includes(importRecordName);
}

async function fillIn(file: string, workflow: ExportedWorkflow): Promise<Written> {
  await requireNoLink(dirname(file), basename(file));
  const text = await readFile(file, 'utf8');
  const filled = withTriggersOf(text, workflow);
  if (filled === text) return { written: [], kept: [] };
  await writeInside(dirname(file), file, filled);
  return { written: [file], kept: [] };
}

async function idOf(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, '.workflow.state'), 'utf8').catch(() => '');
  return /^id:\s*(p_\w+)/m.exec(text)?.[1];
}
