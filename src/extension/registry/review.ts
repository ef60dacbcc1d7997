/** Another version of a locked component beside the one that is locked; and what follows from it: an update, or a copy of one's own. */
import path from 'node:path';
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import { confirm } from '../commands/confirm.ts';
import type { Folder } from '../connection/folder.ts';
import { withProgress } from '../notify.ts';
import { componentDocuments } from './component-documents.ts';
import { type Comparison, ejectDetail, updateDetail } from './review-text.ts';
import {
  newerUses,
  type VersionStatus,
  formatVersionStatus,
  usesInText,
} from './version-status-text.ts';

/** A locked component, and what names it. */
export interface ReviewRequest {
  /** Key of the runtime that is asked. */
  readonly runtime: string;
  readonly standing: VersionStatus;
  /** The `uses:` of a workflow; undefined for the component itself, which its sources run. */
  readonly used?: { readonly file: string; readonly uses: string };
}

interface Review extends Omit<ReviewRequest, 'runtime'> {
  readonly folder: Folder;
  readonly comparison?: Comparison;
}

/** By the URI of a newer version that is shown. */
const reviews = new Map<string, Review>();

/** Behind a lens. */
export const reviewComponent: Command = async ({ folders }, arg) => {
  const { runtime, ...request } = arg as ReviewRequest;
  const folder = folders.withKey(runtime);
  if (folder !== undefined) await show({ ...request, folder });
};

/** Updates to the shown comparison; if there is none, the user chooses and sees one. */
export const updateComponent: Command = async (context, arg) => {
  const shown = reviewAt(arg);
  if (shown !== undefined) return update(shown);
  const chosen = await choose(context, 'Update Component', ({ newer }) => newer !== null);
  if (chosen !== undefined) await show(chosen);
};

export const ejectComponent: Command = async (context, arg) => {
  const review = reviewAt(arg) ?? (await choose(context, 'Eject Component', () => true));
  if (review !== undefined) await eject(review);
};

function reviewAt(arg: unknown): Review | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const active = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
  return reviews.get(String(arg instanceof vscode.Uri ? arg : active));
}

async function choose(
  { folders }: CommandContext,
  title: string,
  isOffered: (standing: VersionStatus) => boolean,
): Promise<Review | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder = folders.of(active?.scheme === 'file' ? active.fsPath : '');
  const client = await folder.link.ready();
  const { data } = await withProgress('Asking the registries', (options) =>
    client.call('components.outdated', {}, options),
  );
  const offered = data.filter(isOffered);
  if (offered.length === 0) {
    void vscode.window.showInformationMessage(
      data.length === 0
        ? 'No component of others is locked here.'
        : 'Every locked component is the newest of its registry.',
    );
    return undefined;
  }
  const items = offered.map((standing) => ({
    standing,
    label: `${standing.key} ${standing.current}`,
    description: formatVersionStatus(standing) ?? '',
    detail: standing.problem ?? standing.used_by.map(({ name }) => name).join(', '),
  }));
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen && { folder, standing: chosen.standing };
}

async function show(review: Review): Promise<void> {
  const { standing, folder } = review;
  const { newer, key, current } = standing;
  if (newer === null) {
    const keep = 'Eject…';
    const said = `${key}: ${plainTitle(standing)}. What is deployed goes on with it; a copy of your own stays whatever becomes of it.`;
    if ((await vscode.window.showWarningMessage(said, keep)) === keep) await eject(review);
    return;
  }
  const client = await folder.link.ready();
  const comparison = await withProgress(`Reading ${key} ${newer.version ?? ''}`, (options) =>
    client.call('components.compare', { component: standing.reference, to: exact(newer) }, options),
  );
  const uri = await componentDocuments().diff({
    title: `${key} ${current} ↔ ${newer.version ?? ''}`,
    name: key,
    file: comparison.from.file,
    before: { version: current, code: comparison.code.before ?? '' },
    after: { version: newer.version ?? '', code: comparison.code.after },
  });
  reviews.set(uri.toString(), { ...review, comparison });
}

function plainTitle(standing: VersionStatus): string {
  return (formatVersionStatus(standing) ?? '').replaceAll(/\$\([\w-]+\) /g, '');
}

/** Exactly the shown version, whatever is published meanwhile. */
function exact({ version, reference, package: of, commit }: NonNullable<VersionStatus['newer']>) {
  return of === null && commit === null ? (version ?? reference) : reference;
}

async function update(review: Review): Promise<void> {
  const { comparison, folder, used } = review;
  const { newer, key, current, reference } = review.standing;
  if (comparison === undefined || newer === null) return;
  const to = newer.version ?? '';
  const detail = updateDetail(comparison, used?.uses);
  if (!(await confirm(`Update ${key} from ${current} to ${to}?`, detail, 'Update'))) return;
  const client = await folder.link.ready();
  const title = `Updating ${key} to ${to}`;
  if (used !== undefined) {
    const uses = newerUses(used.uses, newer);
    await withProgress(title, (options) =>
      client.call('components.add', { reference: uses }, options),
    );
    await closeDiff();
    await replaceUses(used, uses);
    said(`${path.basename(path.dirname(used.file))} uses ${uses} from its next deploy on.`);
    return;
  }
  const updated = await withProgress(title, (options) =>
    client.call('components.update', { component: reference, to: exact(newer) }, options),
  );
  const names = updated.updated.map(({ name }) => name).join(', ');
  await closeDiff();
  said(
    names === ''
      ? `${key} ${to} is locked; nothing runs it yet.`
      : `${key} ${to} is locked, and runs in ${names}.`,
    updated.path,
  );
}

async function eject({ standing, folder, used }: Review): Promise<void> {
  const { key, current, reference } = standing;
  const question = `Make ${key} ${current} your own?`;
  if (!(await confirm(question, ejectDetail(standing, used?.uses), 'Eject'))) return;
  const client = await folder.link.ready();
  const ejected = await withProgress(`Ejecting ${key}`, (options) =>
    client.call('components.eject', { component: reference }, options),
  );
  await closeDiff();
  if (used !== undefined) {
    const relative = path.relative(path.dirname(used.file), ejected.path).split(path.sep).join('/');
    await replaceUses(used, relative.startsWith('.') ? relative : `./${relative}`);
  }
  said(
    `${key} is in ${path.basename(ejected.folder)}; its license (${ejected.license ?? 'none'}) holds for the copy, too.`,
    ejected.path,
  );
}

/** In the text, saved or not, wherever a step or trigger has it. */
async function replaceUses(
  { file, uses }: NonNullable<ReviewRequest['used']>,
  by: string,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const edit = new vscode.WorkspaceEdit();
  const places = usesInText(document.getText()).filter((one) => one.uses === uses);
  if (places.length === 0) {
    throw new WeirError('conflict', `${file} does not use ${uses} any more: write ${by} yourself.`);
  }
  for (const { line, start, end } of places) {
    edit.replace(document.uri, new vscode.Range(line, start, line, end), by);
  }
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document);
}

/** The diff no longer shows the current state. */
async function closeDiff(): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && reviews.has(input.modified.toString()),
    );
  reviews.clear();
  await vscode.window.tabGroups.close(tabs);
}

/** @param code absolute path of what can be opened */
function said(sentence: string, code?: string): void {
  const open = 'Open Code';
  void vscode.window
    .showInformationMessage(sentence, ...(code === undefined ? [] : [open]))
    .then((chosen) => {
      if (chosen === open && code !== undefined) {
        void vscode.window.showTextDocument(vscode.Uri.file(code));
      }
    });
}
