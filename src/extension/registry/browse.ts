/** *Weir: Browse Components*: what registries have, looked at without running it. */
import * as vscode from 'vscode';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import { inspectVisibly } from '../component-files/inspect-visibly.ts';
import type { Folder } from '../connection/folder.ts';
import { runTask } from '../forms/run-task.ts';
import { deployTask } from '../forms/source-tasks.ts';
import { withProgress } from '../notify.ts';
import { type RegistryWay, registryWays } from './add-registry.ts';
import { componentDocuments } from './component-documents.ts';
import type { ComponentPage } from './page-text.ts';
import { type Offered, type Row, rowOf, searchOf } from './search-text.ts';

export const browseComponents: Command = async (context, arg) => {
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder = context.folders.forBrowsing(active?.scheme === 'file' ? active.fsPath : '');
  let text = typeof arg === 'string' ? arg : '';
  for (;;) {
    const chosen = await chooseComponent(context, folder, text);
    if (chosen === undefined) return;
    text = chosen.text;
    const next = await showActions(context, folder, chosen.offered.reference);
    if (next === 'done') return;
  }
};

interface Hit extends vscode.QuickPickItem {
  readonly offered?: Offered;
  readonly adds?: RegistryWay['adds'];
}

/** While somebody types, in ms. */
const pauseMs = 300;
const page: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('book'),
  tooltip: 'Show Page',
};
const plus: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('add'),
  tooltip: 'Add Registry…',
};
/** The text to type is shown beside each filter, and typing it has the same effect. */
const filters: readonly { readonly button: vscode.QuickInputButton; readonly word: string }[] = [
  {
    button: { iconPath: new vscode.ThemeIcon('radio-tower'), tooltip: 'Sources Only (@source)' },
    word: '@source',
  },
  {
    button: { iconPath: new vscode.ThemeIcon('zap'), tooltip: 'Actions Only (@action)' },
    word: '@action',
  },
];

interface Chosen {
  readonly offered: Offered;
  /** The search text. */
  readonly text: string;
}

function chooseComponent(
  context: CommandContext,
  folder: Folder,
  text: string,
): Promise<Chosen | undefined> {
  const picker = vscode.window.createQuickPick<Hit>();
  picker.title = 'Browse Components';
  picker.placeholder = 'Name, key or description; @source, @action, @app:slug, @registry:name';
  picker.value = text;
  const changing = vscode.workspace.isTrusted ? [plus] : [];
  picker.buttons = [...filters.map(({ button }) => button), ...changing];
  let abort = new AbortController();
  let pause = { dispose: (): void => undefined };
  const search = async (): Promise<void> => {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    picker.busy = true;
    try {
      const client = await folder.link.ready();
      const found = await client.call('components.search', searchOf(picker.value), { signal });
      if (!signal.aborted) picker.items = itemsOf(found, context.clock.now());
    } catch (error) {
      if (!signal.aborted) picker.items = [said('error', messageOf(error))];
    } finally {
      if (!signal.aborted) picker.busy = false;
    }
  };
  return new Promise((resolve) => {
    const later = (): void => {
      pause.dispose();
      const handle = setTimeout(() => void search(), pauseMs);
      pause = { dispose: () => clearTimeout(handle) };
    };
    picker.onDidChangeValue(later);
    picker.onDidTriggerButton((button) => {
      if (button === plus) {
        picker.hide();
        void vscode.commands.executeCommand('weir.addRegistry');
        return;
      }
      const filter = filters.find((one) => one.button === button);
      if (filter === undefined) return;
      picker.value = withFilter(picker.value, filter.word);
      void search();
    });
    picker.onDidTriggerItemButton(({ item }) => {
      if (item.offered !== undefined) void showPage(folder, item.offered.reference);
    });
    picker.onDidAccept(() => {
      const [selected] = picker.selectedItems;
      if (selected?.adds !== undefined) {
        picker.hide();
        void vscode.commands.executeCommand('weir.addRegistry', selected.adds.place);
        return;
      }
      const offered = selected?.offered;
      if (offered === undefined) return;
      resolve({ offered, text: picker.value });
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      abort.abort();
      pause.dispose();
      picker.dispose();
    });
    picker.show();
    void search();
  });
}

/** Adds the word, removes it if it is there, or replaces the other one. */
function withFilter(text: string, word: string): string {
  const words = text.split(/\s+/).filter((one) => one !== '');
  const others = words.filter((one) => !filters.some((filter) => filter.word === one));
  return [...(words.includes(word) ? [] : [word]), ...others].join(' ');
}

function itemsOf(
  {
    components,
    problems,
  }: { components: readonly Offered[]; problems: readonly { registry: string; message: string }[] },
  now: number,
): Hit[] {
  const failed = problems.map(({ registry, message }) =>
    said('warning', `${registry}: ${message}`),
  );
  if (components.length === 0 && failed.length === 0) {
    if (!vscode.workspace.isTrusted) {
      const advice = 'Until you trust this workspace only your own registries are asked.';
      return [said('info', `No component found. ${advice}`)];
    }
    return [said('info', 'No component found.'), ...registryWays];
  }
  const hits = components.map((offered): Hit => ({
    ...rowOf(offered, now),
    offered,
    alwaysShow: true,
    buttons: [page],
  }));
  return [...hits, ...failed];
}

function said(icon: string, sentence: string): Hit {
  return { label: `$(${icon}) ${sentence}`, alwaysShow: true };
}

async function read(folder: Folder, reference: string): Promise<ComponentPage> {
  const client = await folder.link.ready();
  return withProgress(`Reading ${reference}`, (options) =>
    client.call('components.registry', { key: reference }, options),
  );
}

async function showPage(folder: Folder, reference: string): Promise<void> {
  await componentDocuments().showPage(await read(folder, reference));
}

type Action = 'use' | 'add' | 'page' | 'code' | 'version' | 'back';

/** @returns whether the list is to be shown again */
async function showActions(
  context: CommandContext,
  folder: Folder,
  reference: string,
): Promise<'done' | 'back'> {
  const shown = await read(folder, reference);
  const { label, description, detail } = rowOf(shown, context.clock.now());
  const chosen = await vscode.window.showQuickPick(actionsOf(shown), {
    title: `${label.replace(/^\$\([\w-]+\) /, '')} · ${description}`,
    placeHolder: detail,
  });
  switch (chosen?.answer) {
    case undefined:
      return 'done';
    case 'use':
      await use(context, folder, shown);
      return 'done';
    case 'add':
      await add(folder, shown);
      return 'done';
    case 'page':
      await componentDocuments().showPage(shown);
      return 'done';
    case 'code':
      await componentDocuments().showCode(shown);
      return 'done';
    case 'version': {
      const version = await chooseVersion(shown);
      return version === undefined ? 'back' : showActions(context, folder, version);
    }
    case 'back':
      return 'back';
  }
}

function actionsOf({ type, versions, trust }: ComponentPage): (Row & { answer: Action })[] {
  const asks = trust === null ? '' : 'It says what it is, and asks, before anything of it runs.';
  const action = (answer: Action, label: string, detail = ''): Row & { answer: Action } => ({
    answer,
    label,
    description: '',
    detail,
  });
  const using = [
    type === 'action'
      ? action('use', '$(play) Run Action…', asks)
      : action('use', '$(cloud-upload) Deploy…', asks),
    action(
      'add',
      '$(pinned) Add without Deploying',
      'Fetches it and locks this version in weir.lock.json.',
    ),
  ];
  return [
    ...(vscode.workspace.isTrusted ? using : []),
    action('page', '$(book) Show Page', 'Props, license, versions and README.'),
    action('code', '$(code) Show Code'),
    ...(versions.length > 1 ? [action('version', '$(versions) Other Version…')] : []),
    action('back', '$(arrow-left) Back to the List'),
  ];
}

/** @returns its reference */
async function chooseVersion({ key, versions }: ComponentPage): Promise<string | undefined> {
  const items = versions.map(({ version, published_at: at, package_version: of, commit }) => ({
    label: version,
    description: [
      of,
      commit?.slice(0, 12),
      at === null ? null : new Date(at).toISOString().slice(0, 10),
    ]
      .filter((one) => typeof one === 'string')
      .join(' · '),
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: `Version of ${key ?? ''}` });
  return chosen === undefined || key === null ? undefined : `${key}@${chosen.label}`;
}

async function fetched(folder: Folder, { reference, key, name }: ComponentPage) {
  const client = await folder.link.ready();
  return withProgress(`Adding ${name ?? key ?? reference}`, (options) =>
    client.call('components.add', { reference }, options),
  );
}

async function add(folder: Folder, shown: ComponentPage): Promise<void> {
  const { key, version, path } = await fetched(folder, shown);
  const open = 'Open Code';
  const chosen = await vscode.window.showInformationMessage(
    `${key} ${version} is added, and locked in weir.lock.json.`,
    open,
  );
  if (chosen === open) await vscode.window.showTextDocument(vscode.Uri.file(path));
}

async function use(context: CommandContext, folder: Folder, shown: ComponentPage): Promise<void> {
  if (folder.remote !== undefined) {
    throw new WeirError(
      'bad_input',
      `${folder.name} uses a runtime on another machine: deploy components of registries there, with "weir deploy ${shown.reference}".`,
    );
  }
  const { path, type } = await fetched(folder, shown);
  const definition = await inspectVisibly(context, folder, path);
  context.forms.open(
    type === 'action'
      ? runTask(context, folder, path, definition)
      : deployTask(context.tasks, folder, path, { definition }),
  );
}
