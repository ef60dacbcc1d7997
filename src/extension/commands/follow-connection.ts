/** A connection whose user is at a browser: waits for its end, and takes the address that a browser ends at which cannot come back. */
import * as vscode from 'vscode';
import type { App, Connection } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { withProgress } from '../notify.ts';
import type { Command } from './context.ts';
import { comesBack } from './redirect-uri.ts';

/** Actions of a notification's links, by connection. */
const links = new Map<string, { readonly open: () => void; readonly paste: () => void }>();

/** Runs a link of the notification of a connection. */
export const goOnConnecting: Command = (_context, session, what) => {
  const link = links.get(String(session));
  if (what === 'paste') link?.paste();
  else link?.open();
};

export interface Begun {
  readonly started: Connection;
  /** Nothing listens where the browser comes back to. */
  readonly mustPaste: boolean;
}

/**
 * Opens the browser and waits.
 * @returns how it has ended
 */
export async function followConnection(
  client: RuntimeClient,
  { name }: Pick<App, 'name'>,
  { started, mustPaste }: Begun,
): Promise<Connection> {
  const { session, redirect_uri: back, user_code: code } = started;
  const address = started.authorization_url ?? started.verification_uri;
  if (address === null) return end(client, session);
  const open = (): void => void vscode.env.openExternal(vscode.Uri.parse(address, true));
  const isPasted = back !== null && (mustPaste || !(await comesBack(client, back)));
  const box = new PasteBox(client, session, name, open);
  links.set(session, { open, paste: () => box.show() });
  const link = (text: string, what: string): string =>
    `[${text}](command:weir.goOnConnecting?${encodeURIComponent(JSON.stringify([session, what]))})`;
  const todo = code === null ? 'waiting for you to sign in.' : `enter the code ${code} there.`;
  open();
  try {
    return await withProgress(`Connecting ${name} in the browser`, ({ signal, progress }) => {
      progress(
        isPasted
          ? `if it ends at a page that cannot be loaded, ${link('paste its address', 'paste')}.`
          : `${todo} ${link('Open the page again', 'open')}`,
      );
      if (isPasted) box.show();
      return end(client, session, signal);
    });
  } finally {
    links.delete(session);
    box.dispose();
  }
}

async function end(
  client: RuntimeClient,
  session: string,
  signal = new AbortController().signal,
): Promise<Connection> {
  try {
    return await client.call('accounts.connection', { session, wait: true }, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    return client.call('accounts.cancelConnection', { session });
  }
}

const again: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('link-external'),
  tooltip: 'Open the Page Again',
};

/** Asks for the address while the connection waits: one that is closed can be shown again. */
class PasteBox {
  readonly #client: RuntimeClient;
  readonly #session: string;
  readonly #name: string;
  readonly #open: () => void;
  #box: vscode.InputBox | undefined;

  constructor(client: RuntimeClient, session: string, name: string, open: () => void) {
    this.#client = client;
    this.#session = session;
    this.#name = name;
    this.#open = open;
  }

  show(): void {
    if (this.#box !== undefined) return this.#box.show();
    const box = vscode.window.createInputBox();
    this.#box = box;
    box.title = `Connect ${this.#name}`;
    box.prompt =
      'The browser may not find its way back here: when it ends at a page that cannot be loaded, paste the whole address of that page';
    box.placeholder = 'http://…';
    // The text in the box is enough to make the account.
    box.password = true;
    box.ignoreFocusOut = true;
    box.buttons = [again];
    box.onDidTriggerButton(() => this.#open());
    box.onDidChangeValue(() => (box.validationMessage = undefined));
    box.onDidAccept(() => void this.#finish(box));
    box.onDidHide(() => {
      if (this.#box === box) this.#box = undefined;
      box.dispose();
    });
    box.show();
  }

  dispose(): void {
    this.#box?.hide();
  }

  /** Reports the end of the connection to its waiting caller. */
  async #finish(box: vscode.InputBox): Promise<void> {
    if (box.value.trim() === '') return;
    box.busy = true;
    box.enabled = false;
    try {
      const given = { session: this.#session, url: box.value };
      await this.#client.call('accounts.finishConnection', given);
    } catch (error) {
      // A connection that ended meanwhile closes the box.
      box.validationMessage = WeirError.is(error, 'bad_input')
        ? messageOf(error)
        : `The address could not be handed over: ${messageOf(error)}`;
    }
    box.busy = false;
    box.enabled = true;
  }
}
