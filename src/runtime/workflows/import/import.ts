/** Workflows of a folder, a repository, an export or an API, put where they run, and what is left to do for that. */
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { writeInside } from '../../../protocol/write-inside.ts';
import type { TaskContext } from '../../components/load.ts';
import type { FolderCheck } from '../lifecycle/check-folder.ts';
import type { Change } from './compare.ts';
import { type AdHocPlaces, requireAdHoc } from '../../base/ad-hoc-places.ts';
import { repositoryName } from './clone.ts';
import { deployFindings } from './deploy-findings.ts';
import type { ExportedWorkflow } from './exported-workflow.ts';
import { withTriggersOf } from './fill-triggers.ts';
import { findWorkflows } from './find-workflows.ts';
import {
  accountFindings,
  inspectFolder,
  type InspectedFolder,
  type InspectOptions,
} from './inspect-folder.ts';
import { type Found, type ImportFrom, nothing, readImport } from './read-import.ts';
import { withKnownPackages, type HasPackage } from './known-packages.ts';
import { type Finding, type ImportedWorkflow, type ImportReport, stateOf } from './report.ts';
import { importRecordName } from './import-record.ts';
import { missingSubmodules } from './submodules.ts';
import { filesOf, folderNameOf, originalFileName } from './write-workflow.ts';
import { requireNoLink, writeFiles, type Written } from './write-files.ts';

export interface ImportRequest {
  readonly from: ImportFrom;
  /** Absolute; a folder that is imported stays where it is without it. */
  readonly to: string | undefined;
  /** Whether files that are here with other content are overwritten. */
  readonly replace: boolean;
  /** Its questions were answered meanwhile, in the files: that they differ is no news. */
  readonly answered: boolean;
  /** The registries' answers about missing components. */
  readonly lookedUp: readonly LookedUp[];
}

export interface LookedUp {
  /** As the step names it. */
  readonly reference: string;
  /** Why it was not fetched: sentences. */
  readonly message: string;
  /** The reference of the nearest version that there is. */
  readonly nearest?: string | null | undefined;
}

export interface ImportOptions extends InspectOptions {
  /** Whether a deploy of the folder would succeed: see `Workflows.check`. */
  readonly check: (
    folder: string,
    mayEvaluate: (path: string | null) => boolean,
    context: TaskContext,
  ) => Promise<FolderCheck>;
  readonly hasPackage: HasPackage;
}

export interface ImportContext {
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** Repositories that may be named; no URL of one unless given. */
  readonly adHoc?: AdHocPlaces | undefined;
}

/**
 * Nothing of what is imported is run. The same import again changes nothing.
 * @throws WeirError `bad_input` for what cannot be read, with what to change; `cancelled`
 */
export async function importWorkflows(
  options: ImportOptions,
  { from, to, replace, answered, lookedUp }: ImportRequest,
  context: ImportContext,
): Promise<ImportReport> {
  const { signal } = context;
  if (from.kind === 'git') requireAdHoc({ kind: 'git', text: from.url }, context.adHoc ?? 'none');
  if (from.kind === 'folder') await requireFolder(from.path);
  const isInPlace = from.kind === 'folder' && (to === undefined || to === from.path);
  const target = to ?? (from.kind === 'folder' ? from.path : join(options.workspace, nameOf(from)));
  context.progress('Reading');
  const temporary = await mkdtemp(join(tmpdir(), 'weir-import-'));
  let found: Found = nothing;
  let before: readonly string[];
  let changed: Written;
  try {
    found = isInPlace
      ? { ...nothing, submodules: await missingSubmodules(target) }
      : await readImport(from, temporary, signal);
    // If no target is given, a workflow is searched in the whole workspace: an export may complete a folder of
    // git-sync.
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
  const texts = new Map(
    found.exported.map(({ workflow }) => [workflow.id ?? workflow.name, workflow]),
  );
  const inspected: Inspected[] = [];
  for (const [index, folder] of folders.entries()) {
    context.progress(`Looking at workflow ${index + 1} of ${folders.length}`);
    const one = await inspectFolder(options, folder, signal);
    // A workflow that was found elsewhere by its id was imported, too, with the files beside it.
    const beside = inTarget.includes(folder) ? target : dirname(folder);
    const foreign = beside === options.workspace ? [target, folder] : [target, folder, beside];
    const mayEvaluate = await outside(foreign);
    const quiet = { ...context, progress: () => undefined };
    const check = await options.check(folder, mayEvaluate, quiet);
    inspected.push({ folder, found: one, check, accounts: neededAccounts(one, check) });
  }
  const accounts = inspected.flatMap((one) => one.accounts);
  const workflows = inspected.map((one): ImportedWorkflow => {
    const file = join(one.folder, 'workflow.yaml');
    const bound = accountFindings(options, file, one.accounts, accounts);
    const known = [...one.found.findings, ...bound].map((finding) => withLookup(finding, lookedUp));
    return importedWorkflow(one, known, texts);
  });
  const missing = found.leftOut.filter(
    ({ id, name }) =>
      ![...workflows, ...found.unread].some((one) =>
        id === null ? one.name === name : one.id === id,
      ),
  );
  return {
    workflows: [
      ...(await withKnownPackages(workflows, options.hasPackage, signal)),
      ...found.unread.map(({ name, id, message }): ImportedWorkflow => {
        const finding = { state: 'cannot', message, file: null, line: 1, step: null } as const;
        return { name, id, folder: null, state: 'unread', findings: [finding], notUnderstood: [] };
      }),
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
    submodules: found.submodules,
  };
}

interface Inspected {
  readonly folder: string;
  readonly found: InspectedFolder;
  readonly check: FolderCheck;
  readonly accounts: InspectedFolder['accounts'];
}

/** Nobody is asked for an account that the code of its step never uses (P2.20). */
function neededAccounts(
  { accounts }: InspectedFolder,
  { accountless }: FolderCheck,
): InspectedFolder['accounts'] {
  return accounts.filter(
    ({ prop, at }) => !accountless.some((one) => one.step === at.step && one.prop === prop),
  );
}

function importedWorkflow(
  { folder, found: { name, id }, check }: Inspected,
  findings: readonly Finding[],
  exported: ReadonlyMap<string, ExportedWorkflow>,
): ImportedWorkflow {
  const origin = exported.get(id ?? name) ?? exported.get(name);
  const file = join(folder, 'workflow.yaml');
  const said = (state: 'answer' | 'note', messages: readonly string[] = []): Finding[] =>
    messages.map((message) => ({ state, message, file, line: 1, step: null }));
  const remarks = [...said('answer', origin?.remarks), ...said('note', origin?.notes)];
  const all = [...findings, ...remarks, ...deployFindings(check, file, findings)];
  const notUnderstood = origin?.notUnderstood ?? [];
  return { name, id, folder, state: stateOf(all), findings: all, notUnderstood };
}

/** Adds the registries' answer about a missing component. */
function withLookup(finding: Finding, lookedUp: readonly LookedUp[]): Finding {
  const { question } = finding;
  if (question?.kind !== 'component') return finding;
  const known = lookedUp.find(({ reference }) => reference === question.reference);
  if (known === undefined) return finding;
  return {
    ...finding,
    message: `The component ${question.reference} is not here. ${known.message}`,
    question: { ...question, nearest: known.nearest ?? null },
  };
}

/** A change made by an answer differs from the import, but is not news. */
function isAnswer(file: string, change: Change): boolean {
  return basename(file) === 'workflow.yaml' && (change === 'edited' || change === 'unknown');
}

async function findAll(roots: readonly string[], signal: AbortSignal): Promise<string[]> {
  const found = new Set<string>();
  for (const root of roots) for (const one of await findWorkflows(root, signal)) found.add(one);
  return [...found];
}

/** Nothing of what is imported is run: code below these folders is read by a parser. */
async function outside(folders: readonly string[]): Promise<(path: string | null) => boolean> {
  const real = await Promise.all(folders.map((one) => realpath(one).catch(() => one)));
  const roots = [...folders, ...real];
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
