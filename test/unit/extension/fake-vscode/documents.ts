import { readFile } from 'node:fs/promises';
import { EventEmitter, Position, type Uri } from './values.ts';

interface ContentProvider {
  provideTextDocumentContent(uri: Uri): string | Promise<string>;
}

/** What a scheme's files are read and written with. */
export interface FileProvider {
  readonly onDidChangeFile: (listener: (changes: { uri: Uri }[]) => void) => unknown;
  stat(uri: Uri): Promise<{ readonly mtime: number; readonly size: number }>;
  readFile(uri: Uri): Promise<Uint8Array>;
  writeFile(uri: Uri, content: Uint8Array): Promise<void>;
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
  readonly files = new Map<string, FileProvider>();
  readonly shown = new EventEmitter<{ readonly document: TextDocument }>();
  active: { readonly document: TextDocument } | undefined;

  async open(asked: Uri | { content: string; language: string }, from: Uri): Promise<TextDocument> {
    if ('content' in asked) return new TextDocument(from, asked.content, asked.language);
    const text = await this.#read(asked);
    const language = /\.[cm]?ts$/.test(asked.path) ? 'typescript' : 'javascript';
    return new TextDocument(asked, text, language);
  }

  async #read(uri: Uri): Promise<string> {
    const provider = this.providers.get(uri.scheme);
    if (provider !== undefined) return provider.provideTextDocumentContent(uri);
    const files = this.files.get(uri.scheme);
    if (files === undefined) return readFile(uri.fsPath, 'utf8');
    await files.stat(uri);
    return Buffer.from(await files.readFile(uri)).toString('utf8');
  }

  show(document: TextDocument): void {
    this.active = { document };
    this.shown.fire(this.active);
  }
}
