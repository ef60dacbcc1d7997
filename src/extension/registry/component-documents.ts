import * as vscode from 'vscode';
import { type ComponentPage, pageText } from './page-text.ts';

const scheme = 'weir-component';

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
    const ending = /\.(\w+)$/.exec(page.files[0] ?? '')?.[1] ?? 'mjs';
    await vscode.window.showTextDocument(this.#add(page, ending, page.code), { preview: true });
  }

  #add({ key, version, place }: ComponentPage, ending: string, text: string): vscode.Uri {
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

let documents: ComponentDocuments | undefined;

export function componentDocuments(): ComponentDocuments {
  documents ??= new ComponentDocuments();
  return documents;
}
