import * as vscode from 'vscode';
import type { EmittedEvent } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { bindPage } from '../connection/page-runtime.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import { copyFor } from '../copy.ts';
import { setContext } from '../context-keys.ts';
import { compareEvents, eventUri } from '../documents/json-documents.ts';
import { openFrame } from '../documents/open-frame.ts';
import { runUri } from '../documents/run-documents.ts';
import { titleOf } from '../views/event-line.ts';
import { findable, keptSubject, showPage } from '../webview-page.ts';
import { parsePageMessage, parseSubject, type InspectorSubject } from './page-message.ts';
import { InspectorSession } from './session.ts';

const viewType = 'weir.inspector';
const titleLength = 40;

/** The one inspector of a window: inspecting another event replaces the one it shows. */
export class InspectorPanel implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #pages: vscode.Uri;
  readonly #log: vscode.LogOutputChannel;
  readonly #select: (folder: Folder, event: EmittedEvent) => void;
  readonly #serializer: vscode.Disposable;
  #open:
    | {
        readonly panel: vscode.WebviewPanel;
        readonly session: InspectorSession;
        readonly folder: Folder;
      }
    | undefined;

  /** @param select selects an event in the list that it was chosen from */
  constructor(
    folders: Folders,
    extensionUri: vscode.Uri,
    log: vscode.LogOutputChannel,
    select: (folder: Folder, event: EmittedEvent) => void,
  ) {
    this.#folders = folders;
    this.#select = select;
    setContext('weir.inspecting', false);
    this.#pages = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    this.#log = log;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, state: unknown) => {
        this.#restore(panel, state);
        return Promise.resolve();
      },
    });
  }

  async show(folder: Folder, event: EmittedEvent): Promise<void> {
    const subject = {
      runtime: folder.key,
      emitterId: event.metadata.emitter_id,
      eventId: event.id,
    };
    if (this.#open?.folder === folder) {
      this.#open.panel.reveal(undefined, true);
      return this.#open.session.show(subject);
    }
    this.#open?.panel.dispose();
    const panel = vscode.window.createWebviewPanel(
      viewType,
      'Event',
      { viewColumn: vscode.ViewColumn.Active, preserveFocus: true },
      findable,
    );
    return this.#attach(panel, folder, subject);
  }

  dispose(): void {
    this.#serializer.dispose();
    this.#open?.panel.dispose();
  }

  #restore(panel: vscode.WebviewPanel, state: unknown): void {
    const subject = parseSubject(keptSubject(state));
    const folder = this.#folders.withKey(subject?.runtime);
    if (subject === undefined || folder === undefined) panel.dispose();
    else this.#attach(panel, folder, subject);
  }

  #attach(panel: vscode.WebviewPanel, folder: Folder, subject: InspectorSubject): void {
    const { mirror } = folder;
    let isOpen = true;
    const session = new InspectorSession(
      {
        client: () => folder.link.ready(),
        nameOf(id) {
          const webhook = mirror.state.webhooks.get(id);
          return mirror.emitter(id)?.name ?? webhook?.name ?? webhook?.url;
        },
        post: (message) => {
          // An answer may arrive after the tab was closed, and a disposed panel throws.
          if (isOpen) void panel.webview.postMessage(message);
        },
        copy: copyFor(panel),
        title(event) {
          const title = titleOf(event);
          if (!isOpen) return;
          const short = title.length > titleLength ? `${title.slice(0, titleLength)}…` : title;
          panel.title = titleAt(folder, short);
        },
        openJson: (event) => vscode.window.showTextDocument(eventUri(folder, event)),
        compare: (older, newer) =>
          compareEvents({ folder, event: older }, { folder, event: newer }),
        replay: (invocation) =>
          vscode.commands.executeCommand('weir.replay', { kind: 'invocation', folder, invocation }),
        debug: (invocation) =>
          vscode.commands.executeCommand('weir.debugRun', {
            kind: 'invocation',
            folder,
            invocation,
          }),
        showFailedRuns: (id) => {
          const source = mirror.source(id);
          const node = source && { kind: 'source', folder, source };
          return vscode.commands.executeCommand('weir.showFailedRuns', node);
        },
        wentTo: (event) => this.#select(folder, event),
        showRun: (run) => vscode.window.showTextDocument(runUri(folder, run)),
        openFrame,
      },
      subject,
    );
    this.#open = { panel, session, folder };
    setContext('weir.inspecting', panel.visible);
    panel.onDidChangeViewState(() => setContext('weir.inspecting', panel.visible));
    panel.iconPath = new vscode.ThemeIcon('inspect');
    bindPage(panel, this.#folders, folder);
    const following = mirror.onChanges.on((batch) => session.changed(batch));
    panel.webview.onDidReceiveMessage((sent: unknown) => {
      const message = parsePageMessage(sent);
      if (message === undefined) this.#log.warn('The inspector sent an unknown message.');
      else void session.receive(message);
    });
    panel.onDidDispose(() => {
      isOpen = false;
      following.dispose();
      if (this.#open?.panel !== panel) return;
      this.#open = undefined;
      setContext('weir.inspecting', false);
    });
    showPage(panel.webview, this.#pages, 'inspector');
  }
}
