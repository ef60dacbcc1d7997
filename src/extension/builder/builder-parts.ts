import type * as vscode from 'vscode';
import type { HostMessage } from '../../webview/builder/messages.ts';
import type { CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';

export type BuilderContext = Pick<
  CommandContext,
  'folders' | 'workflows' | 'memory' | 'problems' | 'output' | 'sharing' | 'clock'
> & { readonly extensionUri: vscode.Uri };

/** The parts that an open builder shares. */
export interface BuilderParts {
  readonly context: BuilderContext;
  readonly document: vscode.TextDocument;
  /** Path of the document. */
  readonly file: string;
  readonly folder: Folder;
  /** False once its panel is closed. */
  isOpen(): boolean;
  /** Sends a message to the page; does nothing after the panel was closed. */
  post(message: HostMessage): void;
  copy(text: string): Promise<void>;
}
