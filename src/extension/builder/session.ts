import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { HostMessage, PageMessage, Path, Values } from '../../webview/builder/messages.ts';
import { withoutValue } from '../../workflow-file/edit.ts';
import { lostReferences } from '../../workflow-file/references.ts';
import { stepsIn, valueAt } from '../../workflow-file/steps-in.ts';
import { isRecord, placeOf, yamlValues } from '../../workflow-file/yaml-values.ts';
import { confirm } from '../commands/confirm.ts';
import type { CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import { FormSession } from '../forms/session.ts';
import { reportError } from '../notify.ts';
import { showPage } from '../webview-page.ts';
import { renameEdit } from '../workflow-text/rename-step.ts';
import { relativeTime } from '../views/line.ts';
import { deployedFrom } from '../workflows/workflow-files.ts';
import {
  begun,
  changed,
  duplicated,
  freeName,
  inserted,
  moved,
  namesIn,
  nameFor,
  newStep,
  placeAfterMove,
  valuesOf,
} from './edits.ts';
import { dataOf, lastRuns, withoutItems } from './last-run.ts';
import { marksOf } from './marks.ts';
import { parsePageMessage } from './page-message.ts';
import { codeFor, languageOf } from './step-templates.ts';
import { stepTask } from './step-task.ts';

export type BuilderContext = Pick<
  CommandContext,
  'folders' | 'workflows' | 'problems' | 'output' | 'clock'
> & { readonly extensionUri: vscode.Uri };

/** Shows a document in a panel until that is closed. */
export function openBuilder(
  context: BuilderContext,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): void {
  const session = new BuilderSession(context, document, panel);
  panel.onDidDispose(() => session.dispose());
  showPage(panel.webview, vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview'), 'builder');
}

/** One open builder: the text is the truth, and whatever the page asks for is a change of the text. */
class BuilderSession {
  readonly #context: BuilderContext;
  readonly #document: vscode.TextDocument;
  readonly #panel: vscode.WebviewPanel;
  readonly #folder: Folder;
  readonly #disposables: vscode.Disposable;
  /** Changes one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #isOpen = true;
  #form:
    | { readonly number: number; readonly path: Path; readonly session: FormSession }
    | undefined;
  #components: AbortController | undefined;

  constructor(context: BuilderContext, document: vscode.TextDocument, panel: vscode.WebviewPanel) {
    this.#context = context;
    this.#document = document;
    this.#panel = panel;
    this.#folder = context.folders.of(document.uri.fsPath);
    this.#disposables = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document: changedOne }) => {
        if (changedOne === document) this.#postModel();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#postModel()),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((uri) => uri.toString() === document.uri.toString())) this.#postMarks();
      }),
      context.folders.onDidChange(({ touched }) => {
        if (touched.workflowList) this.#postModel();
        if (touched.executions.size > 0) void this.#postRuns();
        if (touched.emitterList || touched.workflowList) this.#postEmitters();
      }),
      panel.webview.onDidReceiveMessage((sent: unknown) => {
        const message = parsePageMessage(sent);
        if (message === undefined) context.output.warn('A builder sent an unknown message.');
        else this.#receive(message);
      }),
    );
  }

  dispose(): void {
    this.#isOpen = false;
    this.#form?.session.dispose();
    this.#components?.abort();
    this.#disposables.dispose();
  }

  get #file(): string {
    return this.#document.uri.fsPath;
  }

  #post(message: HostMessage): void {
    if (this.#isOpen) void this.#panel.webview.postMessage(message);
  }

  #receive(message: PageMessage): void {
    switch (message.t) {
      case 'ready':
        this.#postModel();
        this.#postMarks();
        this.#postEmitters();
        return void this.#postRuns();
      case 'begin':
        return this.#edit(undefined, (text) =>
          begun(text, path.basename(path.dirname(this.#file))),
        );
      case 'change':
        return this.#edit(message.version, (text) => changed(text, message.changes));
      case 'insert':
        return this.#edit(message.version, (text) => inserted(text, message.at, message.item));
      case 'add':
        return this.#inTurn(() => this.#add(message));
      case 'move':
        return this.#inTurn(() => this.#move(message));
      case 'remove':
        return this.#inTurn(() => this.#remove(message));
      case 'duplicate':
        return this.#edit(message.version, (text) => duplicated(text, message.path));
      case 'rename':
        return this.#inTurn(() => this.#rename(message));
      case 'openForm':
        return void this.#openForm(message.form, message.path);
      case 'form':
        return this.#toForm(message);
      case 'closeForm':
        return this.#closeForm();
      case 'components':
        return void this.#postComponents();
      case 'do':
        return void this.#do(message).catch((error: unknown) =>
          reportError(error, this.#context.output),
        );
      default:
        return message satisfies never;
    }
  }

  // The text

  #edit(version: number | undefined, change: (text: string) => string): void {
    this.#inTurn(() => this.#write(version, change));
  }

  #inTurn(work: () => Promise<unknown>): void {
    this.#turn = this.#turn.then(async () => {
      try {
        await work();
      } catch (error) {
        if (!WeirError.is(error)) this.#context.output.error(String(error));
        this.#post({ t: 'refused', problem: messageOf(error) });
        this.#postModel();
      }
    });
  }

  /** @param version what the page has seen: places in another text are other places */
  async #write(version: number | undefined, change: (text: string) => string): Promise<void> {
    this.#requireSeen(version);
    const before = this.#document.getText();
    const after = change(before);
    const { start, end, text } = differenceOf(before, after);
    if (before === after) return this.#postModel();
    const edit = new vscode.WorkspaceEdit();
    const at = (offset: number): vscode.Position => this.#document.positionAt(offset);
    edit.replace(this.#document.uri, new vscode.Range(at(start), at(end)), text);
    if (await vscode.workspace.applyEdit(edit)) return;
    throw notChanged();
  }

  #requireSeen(version: number | undefined): void {
    if (version === undefined || version === this.#document.version) return;
    throw new WeirError('conflict', 'The text has changed meanwhile. Please do that again.');
  }

  async #add({ version, at, step }: Extract<PageMessage, { t: 'add' }>): Promise<void> {
    const namespace = freeName(nameFor(step), namesIn(valuesOf(this.#document.getText())));
    const language = languageOf(step);
    const uses = step.kind === 'component' ? step.uses : `./${namespace}/entry.${language ?? 'js'}`;
    const code = codeFor(step);
    if (language !== undefined && code !== undefined) {
      const file = path.join(path.dirname(this.#file), namespace, `entry.${language}`);
      await mkdir(path.dirname(file), { recursive: true });
      // What somebody has written there already is the code of the step.
      await writeFile(file, code, { flag: 'wx' }).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      });
    }
    await this.#write(version, (text) => inserted(text, at, newStep(step, namespace, uses)));
    this.#post({ t: 'reveal', path: at });
  }

  async #move({ version, from, to }: Extract<PageMessage, { t: 'move' }>): Promise<void> {
    const before = this.#document.getText();
    const after = moved(before, from, to);
    if (!(await this.#maySever(before, after, `Move ${this.#nameAt(from)}?`, 'Move'))) return;
    await this.#write(version, () => after);
    this.#post({ t: 'reveal', path: placeAfterMove(from, to) });
  }

  async #remove({ version, path: at }: Extract<PageMessage, { t: 'remove' }>): Promise<void> {
    const before = this.#document.getText();
    const after = withoutValue(before, at);
    if (!(await this.#maySever(before, after, `Delete ${this.#nameAt(at)}?`, 'Delete'))) return;
    await this.#write(version, () => after);
  }

  /** Asks when a change takes from steps what they read. */
  async #maySever(before: string, after: string, question: string, yes: string): Promise<boolean> {
    const lost = lostReferences(valuesOf(before), valuesOf(after), (uses) => this.#codeOf(uses));
    if (lost.length === 0) return true;
    const names = [...new Set(lost.map(({ from, to }) => `${from} reads steps.${to}`))];
    return confirm(question, `${names.join(', ')}, and would find nothing there.`, yes);
  }

  async #rename({ version, path: at, name }: Extract<PageMessage, { t: 'rename' }>): Promise<void> {
    this.#requireSeen(version);
    const edit = await renameEdit(this.#document, at, name);
    if (!(await vscode.workspace.applyEdit(edit))) throw notChanged();
  }

  #nameAt(at: Path): string {
    const value = valueAt(valuesOf(this.#document.getText()), at);
    const named = isRecord(value) ? (value['namespace'] ?? value['name']) : undefined;
    return typeof named === 'string' ? named : 'this';
  }

  #codeOf(uses: string): string | undefined {
    if (!uses.startsWith('.')) return undefined;
    const file = path.resolve(path.dirname(this.#file), uses);
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file);
    if (open !== undefined) return open.getText();
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return undefined;
    }
  }

  // What the page shows

  #postModel(): void {
    const text = this.#document.getText();
    const { root, problems } = yamlValues(text);
    const error = problems.find(({ severity }) => severity === 'error');
    const isEmpty = text.replaceAll(/^\s*#.*$/gm, '').trim() === '';
    const values = error === undefined && isRecord(root?.value) ? root.value : null;
    const line = error === undefined ? 0 : this.#document.positionAt(error.span.start).line;
    this.#post({
      t: 'model',
      model: {
        version: this.#document.version,
        folder: path.basename(path.dirname(this.#file)),
        values,
        isEmpty,
        problem:
          values === null
            ? {
                message: error?.message ?? 'The file is no mapping of keys to values.',
                line: line + 1,
              }
            : null,
        isDeployed: deployedFrom(this.#folder, this.#file) !== undefined,
        mayEdit: vscode.workspace.isTrusted,
      },
    });
  }

  #postMarks(): void {
    const severities = ['error', 'warning', 'info', 'info'] as const;
    const found = vscode.languages.getDiagnostics(this.#document.uri).map((one) => ({
      severity: severities[one.severity],
      message: one.message,
      offset: this.#document.offsetAt(one.range.start),
      line: one.range.start.line + 1,
    }));
    this.#post({ t: 'marks', marks: marksOf(this.#document.getText(), found) });
  }

  #postEmitters(): void {
    const { mirror } = this.#folder;
    const emitters = [...mirror.sources(), ...mirror.workflows()].map(({ id, name }) => ({
      id,
      name,
    }));
    this.#post({ t: 'emitters', emitters });
  }

  async #newest() {
    const workflow = deployedFrom(this.#folder, this.#file);
    const last = workflow && this.#folder.mirror.executions(workflow.id)[0];
    // Looking at a file does not start a runtime.
    if (last === undefined || this.#folder.link.client === undefined) return undefined;
    return this.#context.workflows.whole
      .of({ folder: this.#folder, id: last.id })
      .catch(() => undefined);
  }

  async #postRuns(): Promise<void> {
    const whole = await this.#newest();
    if (whole === undefined) return;
    const now = this.#context.clock.now();
    const about = `${whole.status} ${relativeTime(whole.created_at, now)}`;
    this.#post({ t: 'runs', runs: lastRuns(whole.steps, now), about });
    await this.#postData();
  }

  async #postData(): Promise<void> {
    const form = this.#form;
    const whole = form && (await this.#newest());
    if (form === undefined || whole === undefined) return;
    const key = JSON.stringify(form.path);
    const place = [...stepsIn(valuesOf(this.#document.getText()))].find(
      (one) => JSON.stringify(one.path) === key,
    );
    if (place === undefined) return;
    const run = whole.steps.findLast((one) => withoutItems(one.path) === place.runPath);
    const steps = dataOf(whole, place.sees);
    this.#post({ t: 'data', form: form.number, steps, given: run?.props ?? null });
  }

  async #postComponents(): Promise<void> {
    this.#components?.abort();
    const controller = new AbortController();
    this.#components = controller;
    try {
      const client = await this.#folder.link.ready();
      const { signal } = controller;
      const { data } = await client.call(
        'workflows.components',
        { workflow_path: this.#file },
        { signal },
      );
      const components = data.map(({ key, version, name, description, from }) => ({
        uses: `${key}@${version}`,
        name,
        description,
        from,
      }));
      this.#post({ t: 'components', components, problem: null });
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#post({ t: 'components', components: [], problem: messageOf(error) });
    }
  }

  // The form of a step's props

  async #openForm(number: number, at: Path): Promise<void> {
    this.#closeForm();
    const step = valueAt(valuesOf(this.#document.getText()), at);
    if (!isRecord(step)) return;
    const post = (message: Extract<HostMessage, { t: 'form' }>['message']): void =>
      this.#post({ t: 'form', form: number, message });
    try {
      const task = await stepTask(this.#context, this.#folder, this.#file, step);
      if (!this.#isOpen) return;
      const session = new FormSession({
        task,
        post,
        copy: (text) => void vscode.env.clipboard.writeText(text),
        close: () => undefined,
        log: (line) => this.#context.output.info(line),
      });
      this.#form = { number, path: at, session };
      session.receive({ t: 'ready' });
      await this.#postData();
    } catch (error) {
      post({ t: 'unavailable', problem: messageOf(error) });
    }
  }

  #closeForm(): void {
    this.#form?.session.dispose();
    this.#form = undefined;
  }

  #toForm({ form, message }: Extract<PageMessage, { t: 'form' }>): void {
    const open = this.#form;
    if (open === undefined || open.number !== form) return;
    // What an expression will be nobody knows yet.
    const values = 'values' in message ? withoutExpressions(message.values) : undefined;
    if (message.t === 'secret') return this.#inTurn(() => this.#keepSecret(open.path, message));
    open.session.receive(
      values === undefined ? message : ({ ...message, values } as typeof message),
    );
  }

  /** A secret goes into the environment, sealed, and its name into the file. */
  async #keepSecret(
    at: Path,
    { prop, value }: { readonly prop: string; readonly value: string },
  ): Promise<void> {
    const name = `${this.#nameAt(at)}_${prop}`.replaceAll(/\W+/g, '_').toUpperCase();
    const client = await this.#folder.link.ready();
    await client.call('environment.set', { name, value });
    await this.#write(undefined, (text) =>
      changed(text, [{ path: [...at, 'props', prop], value: `{{process.env.${name}}}` }]),
    );
  }

  async #do({ what, path: at }: Extract<PageMessage, { t: 'do' }>): Promise<void> {
    const run = (command: string, argument?: unknown): Thenable<unknown> =>
      vscode.commands.executeCommand(command, argument);
    switch (what) {
      case 'text': {
        const { root, problems } = yamlValues(this.#document.getText());
        const error = problems.find(({ severity }) => severity === 'error');
        const offset =
          root === undefined ? (error?.span.start ?? 0) : placeOf(root.at, at).span.start;
        const place = this.#document.positionAt(offset);
        return void vscode.window.showTextDocument(this.#document, {
          selection: new vscode.Range(place, place),
          viewColumn: this.#panel.viewColumn ?? vscode.ViewColumn.Active,
        });
      }
      case 'deploy':
        return void run('weir.deployWorkflow', this.#file);
      case 'run':
        return void run('weir.runWithEvent', this.#file);
      case 'debug':
        return void run('weir.debugWorkflow', this.#file);
      case 'runStep':
        return void run('weir.runStep', { file: this.#file, step: this.#nameAt(at) });
      case 'undo':
      case 'redo':
        return void run(what);
      case 'code': {
        const step = valueAt(valuesOf(this.#document.getText()), at);
        const uses = isRecord(step) ? String(step['uses']) : '';
        if (!uses.startsWith('.')) return;
        return void run('weir.openStep', path.resolve(path.dirname(this.#file), uses));
      }
      default:
        return what satisfies never;
    }
  }
}

function notChanged(): WeirError {
  return new WeirError('conflict', 'The file could not be changed: is it read-only?');
}

function withoutExpressions(values: Values): Values {
  const isExpression = (value: unknown): boolean => JSON.stringify(value ?? null).includes('{{');
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isExpression(value)));
}

/** What has to be replaced to get from one text to another, without what both begin and end with. */
function differenceOf(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { start, end: before.length - end, text: after.slice(start, after.length - end) };
}
