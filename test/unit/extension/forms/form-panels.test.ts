import { beforeEach, expect, test, vi } from 'vitest';
import { FormPanels } from '../../../../src/extension/forms/form-panels.ts';
import { AccountSharing } from '../../../../src/extension/account-sharing.ts';
import type { FormTask } from '../../../../src/extension/forms/task.ts';
import type { FormSubject } from '../../../../src/extension/forms/subject.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { newMemory } from '../fake-vscode/memory.ts';
import { WeirError } from '../../../../src/protocol/errors.ts';

/** The part of VS Code that panels meet: it makes them, gives them back after a reload, and closes them. */
const code = vi.hoisted(() => {
  class Panel {
    readonly title: string;
    readonly posted: { t: string }[] = [];
    isClosed = false;
    isFront = true;
    iconPath: unknown;
    #receive: (message: unknown) => void = () => undefined;
    #closed: () => void = () => undefined;
    readonly webview = {
      html: '',
      options: {} as { enableCommandUris?: unknown; localResourceRoots?: { path: string }[] },
      cspSource: 'https://csp',
      asWebviewUri: ({ path }: { path: string }) => `https://csp${path}`,
      postMessage: (message: { t: string }) => Promise.resolve(this.posted.push(message) > 0),
      onDidReceiveMessage: (receive: (message: unknown) => void) => {
        this.#receive = receive;
      },
    };
    constructor(title: string) {
      this.title = title;
    }
    onDidDispose(closed: () => void): void {
      this.#closed = closed;
    }
    say(message: unknown): void {
      this.#receive(message);
    }
    reveal(): void {
      this.isFront = true;
    }
    dispose(): void {
      this.isClosed = true;
      this.#closed();
    }
  }
  interface Serializer {
    deserializeWebviewPanel(panel: Panel, state: unknown): Promise<void>;
  }
  const world = {
    Panel,
    panels: [] as Panel[],
    serializers: new Map<string, Serializer>(),
    saved: [] as ((document: { uri: { fsPath: string } }) => void)[],
  };
  return world;
});

vi.mock('vscode', () => ({
  window: {
    createWebviewPanel: (_: string, title: string) => {
      const panel = new code.Panel(title);
      code.panels.push(panel);
      return panel;
    },
    registerWebviewPanelSerializer: (viewType: string, serializer: never) => {
      code.serializers.set(viewType, serializer);
      return { dispose: () => code.serializers.delete(viewType) };
    },
  },
  workspace: {
    onDidSaveTextDocument: (listener: never) => {
      code.saved.push(listener);
      return { dispose() {} };
    },
  },
  env: { clipboard: { writeText: () => Promise.resolve() } },
  Disposable: {
    from: (...all: { dispose(): void }[]) => ({
      dispose: () => {
        for (const one of all) one.dispose();
      },
    }),
  },
  Uri: {
    joinPath: ({ path }: { path: string }, ...parts: string[]) => ({
      path: [path, ...parts].join('/'),
      with: (changed: { path: string }) => changed,
    }),
  },
  ThemeIcon: vi.fn(),
  ViewColumn: { Active: -1 },
}));

const deploySubject: FormSubject = { kind: 'deploy', runtime: '/w/.weir', file: '/w/a.mjs' };
let loads = 0;

function task(subject: FormSubject = deploySubject): FormTask {
  return {
    subject,
    title: 'Deploy A',
    file: '/w/a.mjs',
    component: { component_path: '/w/a.mjs' },
    folder: { remote: undefined, isCurrent: true, link: { state: 'ready' } } as never,
    client: () => Promise.reject(new Error('No runtime here.')),
    load: async () => {
      loads += 1;
      return {
        heading: 'Deploy A',
        about: 'a.mjs',
        description: null,
        verb: 'Deploy',
        props: [],
        values: {},
        secrets: [],
        dynamic: false,
        problems: {},
      };
    },
    submit: () => Promise.resolve(),
  };
}

const panels = (restore: (subject: FormSubject) => FormTask | undefined = task) =>
  new FormPanels({
    extensionUri: { path: '/ext' } as never,
    folders: { onDidChangeState: () => ({ dispose() {} }) },
    restore,
    sharing: new AccountSharing(newMemory()),
    clock: new FakeClock(),
    log: { info() {}, warn() {} } as never,
  });

const last = () => {
  const panel = code.panels.at(-1);
  if (panel === undefined) throw new Error('No panel was opened.');
  return panel;
};

beforeEach(() => {
  code.panels.length = 0;
  code.saved.length = 0;
  loads = 0;
});

test('a form is a page that may load its own bundle and run no command', () => {
  panels().open(task());
  const { options, html } = last().webview;
  expect(options.localResourceRoots).toMatchObject([{ path: '/ext/dist/webview' }]);
  expect(options.enableCommandUris).toBeUndefined();
  expect(html).toContain('https://csp/ext/dist/webview/prop-form.js');
});

test('a subject has one form, which comes to the front when it is asked for again', () => {
  const forms = panels();
  forms.open(task());
  last().isFront = false;
  forms.open(task());
  expect(code.panels).toHaveLength(1);
  expect(last().isFront).toBe(true);
  last().dispose();
  forms.open(task());
  expect(code.panels).toHaveLength(2);
});

test('one of another kind about the same source takes its place', () => {
  const forms = panels();
  const source = { runtime: '/w/.weir', id: 'dc_1' };
  forms.open(task({ kind: 'configure', ...source }));
  forms.open(task({ kind: 'update', ...source, file: '/w/a.mjs' }));
  expect(code.panels.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test('so does one whose button does something else with the same file', () => {
  const forms = panels();
  forms.open(task());
  forms.open({ ...task(), purpose: 'Debug' });
  expect(code.panels.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  last().isFront = false;
  forms.open({ ...task(), purpose: 'Debug' });
  expect(code.panels).toHaveLength(2);
  expect(last().isFront).toBe(true);
});

test('what comes after its tab was closed is sent to nobody', async () => {
  const forms = panels();
  forms.open({
    ...task(),
    submit: (_values, _endpoints, { signal }) =>
      new Promise((_, reject) => {
        const cancelled = new WeirError('cancelled', 'Cancelled.');
        signal.addEventListener('abort', () => reject(cancelled));
      }),
  });
  const { posted } = last();
  last().say({ t: 'ready' });
  await expect.poll(() => posted.at(-1)?.t).toBe('form');
  last().say({ t: 'submit', values: {} });
  await expect.poll(() => posted.at(-1)?.t).toBe('progress');
  const before = posted.length;
  last().dispose();
  await new Promise((resolve) => setImmediate(resolve));
  expect(posted).toHaveLength(before);
});

test('it is read when its page is ready, and again when its file is saved', async () => {
  panels().open(task());
  expect(loads).toBe(0);
  last().say({ t: 'ready' });
  await expect.poll(() => last().posted.at(-1)?.t).toBe('form');
  for (const listener of code.saved) listener({ uri: { fsPath: '/w/other.mjs' } });
  for (const listener of code.saved) listener({ uri: { fsPath: '/w/a.mjs' } });
  await expect.poll(() => loads).toBe(2);
});

test('an unknown message does nothing', () => {
  panels().open(task());
  last().say({ t: 'executeCommand', command: 'weir.delete' });
  expect(last().posted).toEqual([]);
  expect(last().isClosed).toBe(false);
});

test('a reload of the window leaves the panel, and the next window fills it again', async () => {
  const before = panels();
  before.open(task());
  const panel = last();
  before.dispose();
  expect(panel.isClosed).toBe(false);

  const asked: FormSubject[] = [];
  panels((subject) => {
    asked.push(subject);
    return task(subject);
  });
  const subject = { ...deploySubject, endpoints: { http: 'hi_0000001' } };
  const again = new code.Panel('Deploy A');
  await code.serializers
    .get('weir.propForm')
    ?.deserializeWebviewPanel(again, { subject, values: {} });
  expect(asked).toEqual([subject]);
  again.say({ t: 'ready' });
  await expect.poll(() => again.posted.at(-1)?.t).toBe('form');
});

test.each([[undefined], [{ subject: { kind: 'delete' } }], ['x']])(
  'a panel that kept %j is closed',
  async (state) => {
    panels();
    const panel = new code.Panel('?');
    await code.serializers.get('weir.propForm')?.deserializeWebviewPanel(panel, state);
    expect(panel.isClosed).toBe(true);
  },
);
