import { readFile } from 'node:fs/promises';
import { EventEmitter, Position, type Uri } from './values.ts';

interface ContentProvider {
  provideTextDocumentContent(uri: Uri): string | Promise<string>;
}

export class TextDocument {
  readonly uri: Uri;
  readonly languageId: string;
  readonly isDirty = false;
  readonly #text: string;
  constructor(uri: Uri, text: string, languageId: string) {
    this.uri = uri;
    this.languageId = languageId;
    this.#text = text;
  }
  get lineCount(): number {
    return this.#text.split('\n').length;
  }
  getText(): string {
    return this.#text;
  }
  positionAt(offset: number): Position {
    const before = this.#text.slice(0, offset).split('\n');
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }
  save(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

/** Files of the disk, and what content providers have. */
export class Documents {
  readonly providers = new Map<string, ContentProvider>();
  readonly shown = new EventEmitter<{ readonly document: TextDocument }>();
  active: { readonly document: TextDocument } | undefined;

  async open(asked: Uri | { content: string; language: string }, from: Uri): Promise<TextDocument> {
    if ('content' in asked) return new TextDocument(from, asked.content, asked.language);
    const provider = this.providers.get(asked.scheme);
    const text =
      provider === undefined
        ? await readFile(asked.fsPath, 'utf8')
        : await provider.provideTextDocumentContent(asked);
    const language = /\.[cm]?ts$/.test(asked.path) ? 'typescript' : 'javascript';
    return new TextDocument(asked, text, language);
  }

  show(document: TextDocument): void {
    this.active = { document };
    this.shown.fire(this.active);
  }
}
