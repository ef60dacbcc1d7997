import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { PageMessage, Path } from '../../webview/builder/messages.ts';
import { withoutValue } from '../../workflow-file/edit.ts';
import { lostReferences } from '../../workflow-file/references.ts';
import { stepsIn } from '../../workflow-file/steps-in.ts';
import { confirm } from '../commands/confirm.ts';
import { writeInWorkspace } from '../write-in-workspace.ts';
import { renameEdit } from '../workflow-text/rename-step.ts';
import { addOffer } from './add-offer.ts';
import type { BuilderParts } from './builder-parts.ts';
import {
  begun,
  changed,
  duplicated,
  freeName,
  inserted,
  moved,
  namesIn,
  nameAt,
  nameFor,
  newStep,
  placeAfterMove,
  valuesOf,
} from './edits.ts';
import { codeFor, languageOf } from './step-templates.ts';
import { differenceOf } from './text-difference.ts';

/** The edits of the text that the page may request. */
export type EditMessage =
  | Extract<PageMessage, { readonly version: number }>
  | { readonly t: 'begin' };

/**
 * Changes of the document, one after the other. Each is an ordinary edit, which the editor can undo; the page gets an
 * error for a refused one.
 */
export class TextEdits {
  readonly #parts: BuilderParts;
  /** The text has not changed although something was asked for. */
  readonly #unchanged: () => void;
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: BuilderParts, unchanged: () => void) {
    this.#parts = parts;
    this.#unchanged = unchanged;
  }

  receive(message: EditMessage): void {
    this.inTurn(() => this.#apply(message));
  }

  #apply(message: EditMessage): Promise<void> {
    switch (message.t) {
      case 'begin':
        return this.write(undefined, (text) =>
          begun(text, path.basename(path.dirname(this.#parts.file))),
        );
      case 'change':
        return this.write(message.version, (text) => changed(text, message.changes));
      case 'insert':
        return this.write(message.version, (text) => inserted(text, message.at, message.item));
      case 'duplicate':
        return this.write(message.version, (text) => duplicated(text, message.path));
      case 'add':
        return this.#add(message);
      case 'move':
        return this.#move(message);
      case 'remove':
        return this.#remove(message);
      case 'rename':
        return this.#rename(message);
      default:
        return message satisfies never;
    }
  }

  /** Does something when all that was asked for before it is done. */
  inTurn(work: () => Promise<unknown>): void {
    this.#turn = this.#turn.then(async () => {
      try {
        await work();
      } catch (error) {
        if (!WeirError.is(error)) this.#parts.context.output.error(String(error));
        this.#parts.post({ t: 'refused', problem: messageOf(error) });
        this.#unchanged();
      }
    });
  }

  /** @param version what the page has seen: places in another text are other places */
  async write(version: number | undefined, change: (text: string) => string): Promise<void> {
    this.#requireSeen(version);
    const before = this.#parts.document.getText();
    const after = change(before);
    const { start, end, text } = differenceOf(before, after);
    if (before === after) return this.#unchanged();
    const edit = new vscode.WorkspaceEdit();
    const at = (offset: number): vscode.Position => this.#parts.document.positionAt(offset);
    edit.replace(this.#parts.document.uri, new vscode.Range(at(start), at(end)), text);
    if (await vscode.workspace.applyEdit(edit)) return;
    throw notChanged();
  }

  #requireSeen(version: number | undefined): void {
    if (version === undefined || version === this.#parts.document.version) return;
    throw new WeirError('conflict', 'The text has changed meanwhile. Please do that again.');
  }

  async #add({ version, at, step }: Extract<PageMessage, { t: 'add' }>): Promise<void> {
    const values = valuesOf(this.#parts.document.getText());
    const namespace = freeName(nameFor(step), namesIn(values));
    const language = languageOf(step);
    const uses = step.kind === 'component' ? step.uses : `./${namespace}/entry.${language ?? 'js'}`;
    if (step.kind === 'component' && step.isOffer === true) {
      this.#requireSeen(version);
      await addOffer(this.#parts.folder, uses);
    }
    const code = codeFor(step, loopAt(values, at));
    if (language !== undefined && code !== undefined) {
      const file = path.join(path.dirname(this.#parts.file), namespace, `entry.${language}`);
      // An existing file with this name is the code of the step.
      await writeInWorkspace(file, code, { replace: false }).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      });
    }
    await this.write(version, (text) => inserted(text, at, newStep(step, namespace, uses)));
    this.#parts.post({ t: 'reveal', path: at });
  }

  async #move({ version, from, to }: Extract<PageMessage, { t: 'move' }>): Promise<void> {
    this.#requireSeen(version);
    const before = this.#parts.document.getText();
    const after = moved(before, from, to);
    if (!(await this.#maySever(before, after, `Move ${nameAt(before, from)}?`, 'Move')))
      return this.#unchanged();
    await this.write(version, () => after);
    this.#parts.post({ t: 'reveal', path: placeAfterMove(from, to) });
  }

  async #remove({ version, path: at }: Extract<PageMessage, { t: 'remove' }>): Promise<void> {
    this.#requireSeen(version);
    const before = this.#parts.document.getText();
    const after = withoutValue(before, at);
    if (!(await this.#maySever(before, after, `Delete ${nameAt(before, at)}?`, 'Delete')))
      return this.#unchanged();
    await this.write(version, () => after);
  }

  /** Asks when a change takes from steps what they read. */
  async #maySever(before: string, after: string, question: string, yes: string): Promise<boolean> {
    const lost = lostReferences(valuesOf(before), valuesOf(after), (uses) => this.#codeOf(uses));
    if (lost.length === 0) return true;
    const readers = [...new Set(lost.map(({ from }) => from))];
    const count = readers.length === 1 ? '1 step uses' : `${readers.length} steps use`;
    return confirm(question, `${count} its result: ${readers.join(', ')}.`, yes);
  }

  async #rename({ version, path: at, name }: Extract<PageMessage, { t: 'rename' }>): Promise<void> {
    this.#requireSeen(version);
    const edit = await renameEdit(this.#parts.document, at, name);
    if (!(await vscode.workspace.applyEdit(edit))) throw notChanged();
  }

  #codeOf(uses: string): string | undefined {
    if (!uses.startsWith('.')) return undefined;
    const file = path.resolve(path.dirname(this.#parts.file), uses);
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file);
    if (open !== undefined) return open.getText();
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return undefined;
    }
  }
}

function notChanged(): WeirError {
  return new WeirError('conflict', 'The file could not be changed: is it read-only?');
}

/** The name of the innermost loop around a place of a step. */
function loopAt(root: unknown, at: Path): string | undefined {
  return [...stepsIn(root)]
    .filter(({ path: block, step }) => step['control'] === 'each' && isAround(block, at))
    .at(-1)?.namespace;
}

function isAround(block: readonly PropertyKey[], at: Path): boolean {
  return block.length < at.length && block.every((part, index) => part === at[index]);
}
