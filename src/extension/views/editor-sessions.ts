import * as vscode from 'vscode';
import type { Account } from '../../protocol/catalogue.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { editorSession } from '../editor-session.ts';
import { every } from '../timing.ts';

/** How often VS Code is asked whether it has a new token: it says nothing when it renews one by itself. */
const lookMs = 10 * 60_000;

/** Hands the runtime the new token of an account that was connected by a session of the editor, without a question. */
export class EditorSessions implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #log: (text: string) => void;
  /** The token that was handed over last, by account. */
  readonly #sent = new Map<string, string>();
  readonly #disposables: vscode.Disposable;
  #looking: Promise<void> = Promise.resolve();

  constructor(folders: Folders, clock: Clock, log: (text: string) => void) {
    this.#folders = folders;
    this.#log = log;
    this.#disposables = vscode.Disposable.from(
      folders.onDidChange(({ touched }) => {
        if (touched.accountList) this.#look();
      }),
      vscode.authentication.onDidChangeSessions(() => this.#look()),
      every(clock, lookMs, () => this.#look()),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Checks one after the other. */
  #look(): void {
    this.#looking = this.#looking.then(() => this.#lookAtAll());
  }

  async #lookAtAll(): Promise<void> {
    for (const folder of this.#folders.all) {
      for (const account of folder.mirror.state.accounts.values()) {
        if (account.grant !== 'editor') continue;
        await this.#renew(folder, account).catch((error: unknown) =>
          this.#log(`The session of ${account.name} was not renewed: ${messageOf(error)}`),
        );
      }
    }
  }

  async #renew(folder: Folder, { id, app }: Account): Promise<void> {
    const { client } = folder.link;
    if (client === undefined) return;
    const { editor } = await client.call('apps.get', { slug: app.id });
    const session = editor === null ? undefined : await editorSession(editor, { silent: true });
    if (session === undefined || this.#sent.get(id) === session.access_token) return;
    this.#sent.set(id, session.access_token);
    await client.call('accounts.connect', {
      app: app.id,
      account: id,
      grant: 'editor',
      editor_session: session,
    });
  }
}
