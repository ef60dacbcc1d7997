/** The classes and enums of `vscode` that the extension makes things of; they behave as the real ones do. */
import path from 'node:path';

export class Disposable {
  readonly #act: () => void;
  constructor(act: () => void) {
    this.#act = act;
  }
  static from(...all: { dispose(): void }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }
  dispose(): void {
    this.#act();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };
  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

interface UriParts {
  readonly scheme: string;
  readonly authority?: string;
  readonly path?: string;
  readonly query?: string;
  readonly fragment?: string;
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  constructor({ scheme, authority = '', path: at = '', query = '', fragment = '' }: UriParts) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = at;
    this.query = query;
    this.fragment = fragment;
  }
  static file(file: string): Uri {
    return new Uri({ scheme: 'file', path: file });
  }
  static from(parts: UriParts): Uri {
    return new Uri(parts);
  }
  static parse(text: string): Uri {
    const { protocol, host, pathname, search, hash } = new URL(text);
    return new Uri({
      scheme: protocol.slice(0, -1),
      authority: host,
      path: pathname,
      query: search.slice(1),
      fragment: hash.slice(1),
    });
  }
  static joinPath(base: Uri, ...parts: string[]): Uri {
    return base.with({ path: path.posix.join(base.path, ...parts) });
  }
  get fsPath(): string {
    return this.path;
  }
  with(parts: Partial<UriParts>): Uri {
    const { scheme, authority, path: at, query, fragment } = this;
    return new Uri({ scheme, authority, path: at, query, fragment, ...parts });
  }
  toString(): string {
    const query = this.query === '' ? '' : `?${this.query}`;
    const fragment = this.fragment === '' ? '' : `#${this.fragment}`;
    return `${this.scheme}://${this.authority}${this.path}${query}${fragment}`;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: [Position, Position] | [number, number, number, number]) {
    const [a, b, c, d] = at;
    this.start = typeof a === 'number' ? new Position(a, Number(b)) : a;
    this.end = typeof a === 'number' ? new Position(Number(c), Number(d)) : (b as Position);
  }
  isEqual({ start, end }: Range): boolean {
    return [start, end].every((at, n) => {
      const own = n === 0 ? this.start : this.end;
      return at.line === own.line && at.character === own.character;
    });
  }
}

export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  source?: string;
  code?: unknown;
  constructor(range: Range, message: string, severity = 0) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class ThemeIcon {
  static readonly Folder = new ThemeIcon('folder');
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class MarkdownString {
  value = '';
  isTrusted: unknown;
  appendText(text: string): this {
    return this.appendMarkdown(text.replaceAll(/[\\`*_{}[\]()#+\-!~]/g, String.raw`\$&`));
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
  appendCodeblock(text: string): this {
    return this.appendMarkdown(text);
  }
}

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;
  id: string | undefined;
  description: string | undefined;
  contextValue: string | undefined;
  iconPath: ThemeIcon | undefined;
  tooltip: unknown;
  command: { command: string; arguments?: unknown[] } | undefined;
  accessibilityInformation: { label: string } | undefined;
  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class CodeLens {
  readonly range: Range;
  readonly command: { title: string; command: string; arguments?: unknown[] };
  constructor(range: Range, command: CodeLens['command']) {
    this.range = range;
    this.command = command;
  }
}

export class DataTransferItem {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  asString(): Promise<string> {
    return Promise.resolve(this.#text);
  }
}

export class DataTransfer extends Map<string, DataTransferItem> {}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const ViewColumn = { Active: -1, Beside: -2 };
export const ProgressLocation = { Window: 10, Notification: 15 };
export const FileType = { Unknown: 0, File: 1, Directory: 2 };
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };

export class FileSystemError extends Error {
  static FileNotFound = (uri: Uri) => new FileSystemError(`${uri.path} is not there`);
  static FileIsADirectory = (uri: Uri) => new FileSystemError(`${uri.path} is a directory`);
  static NoPermissions = (uri: Uri) => new FileSystemError(`${uri.path} cannot be changed`);
  static Unavailable = (message: string) => new FileSystemError(message);
}

export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2 };
export const CompletionItemKind = {
  Field: 4,
  Variable: 5,
  Property: 9,
  Value: 11,
  Keyword: 13,
  EnumMember: 19,
};
export const CodeActionKind = { QuickFix: 'quickfix' };
export const DebugConfigurationProviderTriggerKind = { Initial: 1, Dynamic: 2 };

export class SemanticTokensLegend {
  readonly tokenTypes: readonly string[];
  constructor(tokenTypes: readonly string[]) {
    this.tokenTypes = tokenTypes;
  }
}

export class TabInputCustom {
  readonly uri: Uri;
  readonly viewType: string;
  constructor(uri: Uri, viewType: string) {
    this.uri = uri;
    this.viewType = viewType;
  }
}
