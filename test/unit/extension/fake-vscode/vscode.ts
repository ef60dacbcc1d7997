/**
 * A `vscode` that works, as far as the extension uses it: commands run, context keys are kept, trees can
 * be read, documents have their contents. One window per test file; `world` is its other side.
 */
import { glob, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import manifest from '../../../../package.json' with { type: 'json' };
import { Documents, TextDocument } from './documents.ts';
import { Person } from './person.ts';
import * as values from './values.ts';

const { Disposable, EventEmitter, Uri } = values;
type Uri = values.Uri;

interface TreeProvider {
  readonly onDidChangeTreeData: (listener: (changed: unknown) => void) => values.Disposable;
  getChildren(node?: unknown): unknown[] | Promise<unknown[]>;
  getTreeItem(node: unknown): values.TreeItem;
}

export interface ShownTree {
  readonly provider: TreeProvider;
  readonly drop: { handleDrop?(target: unknown, transfer: values.DataTransfer): Promise<void> };
  readonly drag: { handleDrag?(nodes: unknown[], transfer: values.DataTransfer): void };
  /** Every change that was told, as it was told: undefined is the whole tree. */
  readonly changes: unknown[];
  readonly view: { badge?: { value: number }; message?: string; description?: string };
  readonly selected: values.EventEmitter<{ selection: unknown[] }>;
}

export interface McpProvider {
  readonly onDidChangeMcpServerDefinitions: (listener: () => void) => values.Disposable;
  provideMcpServerDefinitions(): McpHttpServerDefinition[];
  resolveMcpServerDefinition(
    server: McpHttpServerDefinition,
  ): Promise<McpHttpServerDefinition | undefined>;
}

/** A tool that language models of the editor may call. */
export interface LanguageModelTool {
  prepareInvocation(options: { input: object }): {
    readonly invocationMessage: string;
    readonly confirmationMessages?: { readonly title: string; readonly message: { value: string } };
  };
  invoke(
    options: { input: object },
    token: object,
  ): Promise<{ readonly content: readonly { readonly value: string }[] }>;
}

/** A notification of something that goes on. */
export interface ShownProgress {
  readonly title: string;
  readonly messages: string[];
  isOver: boolean;
  /** Presses its Cancel. */
  cancel(): void;
}

/** What can be seen of a window, and done to it. */
export const world = {
  person: new Person(),
  documents: new Documents(),
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  /** Built-in commands that were run, such as `vscode.diff`. */
  ran: [] as { id: string; args: unknown[] }[],
  context: new Map<string, unknown>(),
  mcpProviders: new Map<string, McpProvider>(),
  tools: new Map<string, LanguageModelTool>(),
  trees: new Map<string, ShownTree>(),
  /** By collection, then by file. */
  problems: new Map<string, Map<string, readonly values.Diagnostic[]>>(),
  statusBar: { text: '', shown: false },
  deadAccounts: { text: '', shown: false },
  /** What the authentication providers have, by provider and scopes. */
  sessions: new Map<string, { accessToken: string; account: { id: string; label: string } }>(),
  sessionsChanged: new EventEmitter<{ provider: { id: string } }>(),
  /** Files were renamed in the explorer. */
  renamed: new EventEmitter<{ files: readonly { oldUri: Uri; newUri: Uri }[] }>(),
  focused: new EventEmitter<{ focused: boolean }>(),
  panels: [] as { title: string }[],
  /** The list or box that is shown, of those that stay. */
  input: undefined as QuickInput | undefined,
  /** In the order they were shown. */
  progress: [] as ShownProgress[],
  lenses: [] as { provideCodeLenses(document: TextDocument): values.CodeLens[] }[],
  settings: new Map<string, unknown>(),
  workspace: { folders: [] as string[], isTrusted: true },
};

const never = new EventEmitter<never>();
const none = () => new Disposable(() => undefined);
const trusted = new EventEmitter<void>();
const diagnosed = new EventEmitter<{ uris: readonly Uri[] }>();

export const window = {
  state: { focused: true },
  visibleTextEditors: [] as unknown[],
  get activeTextEditor() {
    return world.documents.active;
  },
  onDidChangeWindowState: world.focused.event,
  onDidChangeVisibleTextEditors: never.event,
  onDidChangeActiveTextEditor: world.documents.shown.event,
  createOutputChannel: () => ({
    info() {},
    warn() {},
    error() {},
    append() {},
    appendLine() {},
    clear() {},
    show() {},
    dispose() {},
  }),
  createStatusBarItem: (id: string) => {
    const item = id === 'weir.deadAccounts' ? world.deadAccounts : world.statusBar;
    return Object.assign(item, {
      show: () => void (item.shown = true),
      hide: () => void (item.shown = false),
      dispose() {},
    });
  },
  createTreeView(
    id: string,
    options: { treeDataProvider: TreeProvider; dragAndDropController?: object },
  ) {
    const { treeDataProvider: provider, dragAndDropController: controller = {} } = options;
    const changes: unknown[] = [];
    const selected = new EventEmitter<{ selection: unknown[] }>();
    provider.onDidChangeTreeData((changed) => changes.push(changed));
    const view: ShownTree['view'] & Record<string, unknown> = {
      visible: false,
      selection: [],
      onDidChangeSelection: selected.event,
      onDidChangeVisibility: never.event,
      reveal: () => Promise.resolve(),
      dispose() {},
    };
    world.trees.set(id, { provider, drop: controller, drag: controller, changes, view, selected });
    return view;
  },
  createWebviewPanel(_: string, title: string) {
    const panel = {
      title,
      webview: {
        html: '',
        options: {},
        cspSource: 'https://csp',
        asWebviewUri: (uri: Uri) => uri,
        postMessage: () => Promise.resolve(true),
        onDidReceiveMessage: never.event,
      },
      onDidDispose: never.event,
      reveal() {},
      dispose() {},
    };
    world.panels.push(panel);
    return panel;
  },
  registerCustomEditorProvider: none,
  tabGroups: { activeTabGroup: { activeTab: undefined } },
  registerWebviewPanelSerializer: none,
  setStatusBarMessage: (text: string) => void world.person.heard.push(text),
  createQuickPick: () =>
    new QuickInput((input) => {
      const item = world.person.pick(input.items, input.title);
      input.selectedItems = item === undefined ? [] : [item];
      return item !== undefined;
    }),
  createInputBox: () =>
    new QuickInput((input) => {
      const text = world.person.type(input.title);
      input.value = text ?? '';
      return text !== undefined;
    }),
  showQuickPick: async (
    items: readonly { label: string }[] | Promise<readonly { label: string }[]>,
    { title = '' } = {},
  ) => world.person.pick(await items, title),
  showInputBox: ({ title, validateInput }: { title?: string; validateInput?: never } = {}) =>
    Promise.resolve(world.person.type(title, validateInput)),
  showOpenDialog: () => Promise.resolve(undefined),
  showInformationMessage: message,
  showWarningMessage: message,
  showErrorMessage: message,
  async showTextDocument(asked: Uri | TextDocument) {
    const document =
      asked instanceof TextDocument ? asked : await workspace.openTextDocument(asked);
    world.documents.show(document);
    return { document };
  },
  async withProgress(
    { title = '' }: { title?: string },
    work: (progress: object, token: object) => Promise<unknown>,
  ) {
    const messages: string[] = [];
    const cancelled = new EventEmitter<void>();
    const shown = { title, messages, isOver: false, cancel: () => cancelled.fire() };
    const report = ({ message: text = '' }: { message?: string }): void => void messages.push(text);
    world.progress.push(shown);
    try {
      return await work({ report }, { onCancellationRequested: cancelled.event });
    } finally {
      shown.isOver = true;
    }
  },
};

/**
 * A list or a box that stays until it is answered. Whoever has nothing to say presses Escape as soon as it is shown, unless it
 * stays without the focus: then somebody is at another window, and `world.input` is where they come back to.
 */
class QuickInput {
  readonly #answer: (input: QuickInput) => boolean;
  readonly #accepted = new EventEmitter<void>();
  readonly #hidden = new EventEmitter<void>();
  readonly #triggered = new EventEmitter<{ tooltip: string }>();
  title = '';
  prompt = '';
  value = '';
  validationMessage: string | undefined;
  ignoreFocusOut = false;
  items: readonly { label: string }[] = [];
  selectedItems: readonly { label: string }[] = [];
  buttons: readonly { tooltip: string }[] = [];
  readonly onDidChangeValue = never.event;
  readonly onDidTriggerButton = this.#triggered.event;
  readonly onDidTriggerItemButton = never.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;

  /** @param answer of a person, written into the input; false when there is none */
  constructor(answer: (input: QuickInput) => boolean) {
    this.#answer = answer;
  }

  show(): void {
    world.input = this;
    queueMicrotask(() => this.#ask());
  }

  #ask(): void {
    if (!world.person.isThere) {
      if (!this.ignoreFocusOut) this.hide();
      return;
    }
    for (;;) {
      const pressed = world.person.press(this.buttons.map(({ tooltip }) => tooltip));
      if (pressed === undefined) break;
      this.press(pressed);
    }
    if (!this.#answer(this)) return this.hide();
    this.#accepted.fire();
    if (this.validationMessage === undefined) return;
    world.person.heard.push(`${this.title}: ${this.validationMessage}`);
    this.hide();
  }

  press(tooltip: string): void {
    const button = this.buttons.find((one) => one.tooltip === tooltip);
    if (button !== undefined) this.#triggered.fire(button);
  }

  /** Somebody types this and presses Enter. */
  enter(text: string): void {
    this.value = text;
    this.#accepted.fire();
  }

  hide(): void {
    if (world.input === this) world.input = undefined;
    this.#hidden.fire();
  }

  dispose(): void {}
}

function message(text: string, ...rest: unknown[]): Promise<string | undefined> {
  const buttons = rest.filter((one) => typeof one === 'string');
  return Promise.resolve(world.person.choose(text, buttons));
}

export const workspace = {
  get isTrusted() {
    return world.workspace.isTrusted;
  },
  get workspaceFolders() {
    return world.workspace.folders.map((folder) => ({
      name: path.basename(folder),
      uri: Uri.file(folder),
    }));
  },
  textDocuments: [] as TextDocument[],
  onDidChangeWorkspaceFolders: never.event,
  onDidGrantWorkspaceTrust: trusted.event,
  onDidChangeConfiguration: never.event,
  onDidSaveTextDocument: never.event,
  onDidRenameFiles: world.renamed.event,
  onDidOpenTextDocument: never.event,
  onDidChangeTextDocument: never.event,
  onDidCloseTextDocument: never.event,
  createFileSystemWatcher: () => ({
    onDidChange: never.event,
    onDidCreate: never.event,
    onDidDelete: never.event,
    dispose() {},
  }),
  getWorkspaceFolder: ({ fsPath }: Uri) =>
    workspace.workspaceFolders.find(({ uri }) => fsPath.startsWith(uri.fsPath)),
  asRelativePath: ({ fsPath }: Uri) => path.relative(world.workspace.folders[0] ?? '/', fsPath),
  /** As the manifest says, unless a test set it. */
  getConfiguration: (section: string) => ({
    get(name: string, otherwise?: unknown) {
      const id = `${section}.${name}`;
      return world.settings.get(id) ?? defaults.get(id) ?? otherwise;
    },
  }),
  async findFiles(pattern: string) {
    const [cwd = '/'] = world.workspace.folders;
    const found: Uri[] = [];
    for await (const file of glob(pattern, { cwd })) found.push(Uri.file(path.join(cwd, file)));
    return found;
  },
  openTextDocument: (asked: Uri | { content: string; language: string }) =>
    world.documents.open(asked, Uri.from({ scheme: 'untitled', path: '/untitled' })),
  registerTextDocumentContentProvider(scheme: string, provider: never) {
    world.documents.providers.set(scheme, provider);
    return new Disposable(() => world.documents.providers.delete(scheme));
  },
  registerFileSystemProvider(scheme: string, provider: never) {
    world.documents.files.set(scheme, provider);
    return new Disposable(() => world.documents.files.delete(scheme));
  },
  fs: {
    readFile: ({ fsPath }: Uri) => readFile(fsPath),
    stat: ({ fsPath }: Uri) => stat(fsPath),
    writeFile: ({ fsPath }: Uri, content: Uint8Array) => writeFile(fsPath, content),
  },
};

const defaults = new Map(
  manifest.contributes.configuration
    .flatMap(({ properties }) =>
      Object.entries(properties as Record<string, { default?: unknown }>),
    )
    .map(([id, setting]) => [id, setting.default]),
);

export const commands = {
  registerCommand(id: string, command: (...args: unknown[]) => unknown) {
    if (world.commands.has(id)) throw new Error(`command '${id}' already exists`);
    world.commands.set(id, command);
    return new Disposable(() => world.commands.delete(id));
  },
  async executeCommand(id: string, ...args: unknown[]): Promise<unknown> {
    if (id === 'setContext') return void world.context.set(String(args[0]), args[1]);
    const command = world.commands.get(id);
    if (command !== undefined) return command(...args);
    if (id.startsWith('weir.') && !id.endsWith('.focus'))
      throw new Error(`command '${id}' not found`);
    return void world.ran.push({ id, args });
  },
};

export const lm = {
  registerMcpServerDefinitionProvider(id: string, provider: McpProvider) {
    world.mcpProviders.set(id, provider);
    return new Disposable(() => void world.mcpProviders.delete(id));
  },
  registerTool(name: string, tool: LanguageModelTool) {
    world.tools.set(name, tool);
    return new Disposable(() => void world.tools.delete(name));
  },
};

export class McpHttpServerDefinition {
  readonly label: string;
  uri: Uri;
  headers: Record<string, string> = {};

  constructor(label: string, uri: Uri) {
    this.label = label;
    this.uri = uri;
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.#cancelled.fire();
  }
}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: readonly LanguageModelTextPart[];

  constructor(content: readonly LanguageModelTextPart[]) {
    this.content = content;
  }
}

export const languages = {
  createDiagnosticCollection(name: string) {
    const shown = new Map<string, readonly values.Diagnostic[]>();
    world.problems.set(name, shown);
    const told = (uri: Uri) => diagnosed.fire({ uris: [uri] });
    return {
      set(uri: Uri, problems: readonly values.Diagnostic[]) {
        shown.set(uri.fsPath, problems);
        told(uri);
      },
      delete(uri: Uri) {
        if (shown.delete(uri.fsPath)) told(uri);
      },
      clear: () => shown.clear(),
      dispose() {},
    };
  },
  onDidChangeDiagnostics: diagnosed.event,
  getDiagnostics: ({ fsPath }: Uri) =>
    [...world.problems.values()].flatMap((shown) => shown.get(fsPath) ?? []),
  registerCodeLensProvider(_: unknown, provider: (typeof world.lenses)[number]) {
    world.lenses.push(provider);
    return none();
  },
  registerCodeActionsProvider: none,
  registerCompletionItemProvider: none,
  registerHoverProvider: none,
  registerDefinitionProvider: none,
  registerDocumentSymbolProvider: none,
  registerRenameProvider: none,
  registerDocumentLinkProvider: none,
  registerDocumentSemanticTokensProvider: none,
  setLanguageConfiguration: none,
  setTextDocumentLanguage: (document: TextDocument) => Promise.resolve(document),
  match: () => 0,
};

export const debug = {
  registerDebugConfigurationProvider: none,
  registerDebugAdapterTrackerFactory: none,
  onDidTerminateDebugSession: never.event,
  startDebugging: (_: unknown, configuration: unknown) => {
    world.ran.push({ id: 'debug', args: [configuration] });
    return Promise.resolve(true);
  },
};

export const tests = {
  createTestController: () => ({
    items: new Map(),
    createTestItem: () => ({ children: new Map() }),
    createRunProfile: none,
    dispose() {},
  }),
};
export const TestRunProfileKind = { Run: 1, Debug: 2, Coverage: 3 };

export const env = {
  appName: 'Fake',
  remoteName: undefined,
  clipboard: {
    readText: () => Promise.resolve(world.person.clipboard),
    writeText: (text: string) => Promise.resolve(void (world.person.clipboard = text)),
  },
  asExternalUri: (uri: Uri) => Promise.resolve(uri),
  openExternal: (uri: Uri) => {
    world.ran.push({ id: 'openExternal', args: [uri.toString()] });
    return Promise.resolve(true);
  },
};

/** A session of `world.sessions`; one that is asked for without `silent` is remembered in `world.ran`. */
export const authentication = {
  onDidChangeSessions: world.sessionsChanged.event,
  getSession: (provider: string, scopes: readonly string[], options: { silent?: boolean }) => {
    if (options.silent !== true) world.ran.push({ id: 'getSession', args: [provider, scopes] });
    return Promise.resolve(world.sessions.get(`${provider} ${scopes.join(' ')}`));
  },
};

export const extensions = {
  getExtension: (id: string) => (id === 'weir.weir' ? { packageJSON: manifest } : undefined),
};
export const version = '1.110.0';
export const QuickInputButtons = { Back: {} };
export const QuickInputButtonLocation = { Title: 1, Inline: 2, Input: 3 };
export * from './values.ts';
