import * as vscode from 'vscode';
import { type ComponentPage, pageText } from './page-text.ts';

const scheme = 'weir-component';

/** Two versions of the file of a component. */
export interface ComparedCode {
  /** Title of the tab. */
  readonly title: string;
  readonly name: string;
  readonly file: string;
  readonly before: { readonly version: string; readonly code: string };
  readonly after: { readonly version: string; readonly code: string };
}

/** Pages and code of components that are not on this machine: read-only documents, of which nothing runs. */
class ComponentDocuments implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();

  constructor() {
    // For as long as the window has this bundle.
    vscode.workspace.registerTextDocumentContentProvider(scheme, this);
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString()));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  async showPage(page: ComponentPage): Promise<void> {
    const uri = this.#add(page, 'md', pageText(page));
    try {
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    } catch {
      // An editor without its Markdown extension has the text.
      await vscode.window.showTextDocument(uri);
    }
  }

  async showCode(page: ComponentPage): Promise<void> {
    const uri = this.#add(page, endingOf(page.files[0] ?? ''), page.code);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Two versions of a component's file, side by side. @returns the newer one's */
  async diff({ title, name, file, before, after }: ComparedCode): Promise<vscode.Uri> {
    const [left, right] = [before, after].map(({ version, code }) =>
      this.#add({ key: name, version, place: file }, endingOf(file), code),
    ) as [vscode.Uri, vscode.Uri];
    await vscode.commands.executeCommand('vscode.diff', left, right, title);
    return right;
  }

  #add(
    { key, version, place }: Pick<ComponentPage, 'key' | 'version' | 'place'>,
    ending: string,
    text: string,
  ): vscode.Uri {
    const name = (key ?? 'component').replaceAll(/[^\w@.-]/g, '-');
    const uri = vscode.Uri.from({
      scheme,
      path: `/${name} ${version ?? ''}.${ending}`,
      query: place,
    });
    this.#texts.set(uri.toString(), text);
    return uri;
  }
}

function endingOf(file: string): string {
  return /\.(\w+)$/.exec(file)?.[1] ?? 'mjs';
}

let documents: ComponentDocuments | undefined;

export function componentDocuments(): ComponentDocuments {
  documents ??= new ComponentDocuments();
  return documents;
}
