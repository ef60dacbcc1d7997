/** F2 on a step: in `workflow.yaml`, in the expressions and the code of the steps that read it, and its folder. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import { withStepRenamed } from '../../workflow-file/edit.ts';
import type { StepPlace } from '../../workflow-file/steps-in.ts';
import type { Path } from '../../workflow-file/yaml-values.ts';
import { readsOf } from './code-reads.ts';
import { chainAt } from './expression-at.ts';
import { modelOf } from './workflow-model.ts';

interface Named {
  readonly place: StepPlace;
  /** Range of the name at the cursor. */
  readonly range: vscode.Range;
}

/** The step that F2 would rename. @throws WeirError if there is no name of a step */
export function stepToRename(
  document: vscode.TextDocument,
  position: vscode.Position,
): { readonly range: vscode.Range; readonly placeholder: string } {
  const { place, range } = named(document, position);
  return { range, placeholder: place.namespace };
}

/** @throws WeirError with what is wrong with the name */
export async function renameStep(
  document: vscode.TextDocument,
  position: vscode.Position,
  name: string,
): Promise<vscode.WorkspaceEdit> {
  return renameEdit(document, named(document, position).place.path, name);
}

/**
 * Everything that changes when a step gets another name.
 * @param at its path in the file
 * @throws WeirError with what is wrong with the name
 */
export async function renameEdit(
  document: vscode.TextDocument,
  at: Path,
  name: string,
): Promise<vscode.WorkspaceEdit> {
  const steps = modelOf(document)?.steps ?? [];
  const place = steps.find(({ path: one }) => isDeepStrictEqual(one, at));
  if (place === undefined) throw new WeirError('not_found', 'There is no such step any more.');
  refuse(name, place, steps);
  const edit = new vscode.WorkspaceEdit();
  const before = document.getText();
  const whole = new vscode.Range(new vscode.Position(0, 0), document.positionAt(before.length));
  edit.replace(document.uri, whole, withStepRenamed(before, place.path, name));
  const folder = path.dirname(document.uri.fsPath);
  await renameInCode(edit, folder, place.namespace, name, steps);
  const own = path.join(folder, place.namespace);
  const uses = place.step['uses'];
  const isOwn = typeof uses === 'string' && uses.startsWith(`./${place.namespace}/`);
  if (isOwn && existsSync(own)) {
    edit.renameFile(vscode.Uri.file(own), vscode.Uri.file(path.join(folder, name)), {
      overwrite: false,
    });
  }
  return edit;
}

function named(document: vscode.TextDocument, position: vscode.Position): Named {
  const model = modelOf(document);
  if (model === undefined) {
    throw new WeirError('bad_input', 'workflow.yaml cannot be read: mend it first, then rename.');
  }
  for (const place of model.steps) {
    const range = model.rangeOf([...place.path, 'namespace']);
    if (place.namespace !== '' && range.contains(position)) return { place, range };
  }
  const chain = chainAt(document.getText(), document.offsetAt(position));
  const isName = chain?.names.length === 1 && chain.names[0] === 'steps';
  const place = isName && model.steps.find(({ namespace }) => namespace === chain.word);
  if (chain === undefined || place === undefined || place === false) {
    throw new WeirError('bad_input', 'Put the cursor on the name of a step to rename it.');
  }
  const range = new vscode.Range(document.positionAt(chain.start), document.positionAt(chain.end));
  return { place, range };
}

function refuse(name: string, place: StepPlace, steps: readonly StepPlace[]): void {
  if (!/^[A-Za-z_$][A-Za-z0-9_$]{0,99}$/.test(name) || name === '__proto__') {
    throw new WeirError(
      'bad_input',
      'A step has a name of letters, digits and "_" that does not begin with a digit.',
    );
  }
  if (name === 'trigger') {
    throw new WeirError(
      'bad_input',
      'A step cannot be called "trigger": that is what started the execution.',
    );
  }
  const other = steps.find(
    (one) => one !== place && one.namespace.toLowerCase() === name.toLowerCase(),
  );
  if (other !== undefined) {
    throw new WeirError('conflict', `There is a step "${other.namespace}" already.`);
  }
}

/** The code of every step that can read it, each file once. */
async function renameInCode(
  edit: vscode.WorkspaceEdit,
  folder: string,
  before: string,
  after: string,
  steps: readonly StepPlace[],
): Promise<void> {
  const files = new Set(
    steps.flatMap(({ step, sees }) => {
      const { uses } = step;
      const isFile = typeof uses === 'string' && uses.startsWith('./') && sees.has(before);
      return isFile ? [path.resolve(folder, uses)] : [];
    }),
  );
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const reads = [...readsOf(text, before)];
    if (reads.length === 0) continue;
    const document = await vscode.workspace.openTextDocument(file);
    for (const at of readsOf(document.getText(), before)) {
      const range = new vscode.Range(
        document.positionAt(at),
        document.positionAt(at + before.length),
      );
      edit.replace(document.uri, range, after);
    }
  }
}
