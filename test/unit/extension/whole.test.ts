import { beforeAll, describe, expect, test, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { contributedCommands, internalCommands } from '../../../src/extension/commands/ids.ts';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { treeText, welcomeText } from './fake-vscode/looks.ts';
import { openWindow, type OpenWindow } from './fake-vscode/open-window.ts';
import { world } from './fake-vscode/vscode.ts';
import { holds } from './fake-vscode/when.ts';

vi.mock('vscode', () => import('./fake-vscode/vscode.ts'));

/** The whole extension in an untrusted window, where nothing can run: what is there all the same. */
const atEnd = atEndOfSuite();
let opened: OpenWindow;
const { contributes } = manifest;

beforeAll(async () => {
  world.workspace.isTrusted = false;
  opened = await openWindow(temporaryFolder(atEnd));
  atEnd(() => opened.close());
});

test('activation registers every command of the table, and nothing else of ours', () => {
  const registered = [...world.commands.keys()].sort();
  expect(registered).toEqual([...contributedCommands, ...internalCommands].sort());
});

test('activation starts nothing, asks nothing, and shows three empty trees', async () => {
  expect(opened.api.runtime.url).toBeUndefined();
  expect(world.person.heard).toEqual([]);
  expect(world.statusBar.shown).toBe(false);
  const views = contributes.views.weir.map(({ id }) => id);
  expect([...world.trees.keys()].sort()).toEqual([...views].sort());
  for (const id of views) expect(await treeText(id)).toBe('');
});

test('every context key of ours that a clause asks for is set from the start', () => {
  const clauses = JSON.stringify([
    contributes.menus,
    contributes.viewsWelcome,
    contributes.commands,
    contributes.keybindings,
  ]);
  const views = contributes.views.weir.map(({ id }) => id);
  const asked = [...clauses.matchAll(/weir\.\w+(?= (?:==|=~|&&|\|\|)|")/g)].map(([key]) => key);
  const keys = new Set(asked.filter((key) => !views.includes(key) && !isCommand(key)));
  // Those of a view are set when there is something to say.
  const later = ['weir.droppedHidden', 'weir.eventsFiltered', 'weir.eventsWaiting'];
  expect([...keys].filter((key) => !world.context.has(key)).sort()).toEqual(
    later.filter((key) => keys.has(key)),
  );
});

describe('a welcome', () => {
  const trusted = { isWorkspaceTrusted: true, workbenchState: 'folder', 'weir.hasSources': false };
  test.each([
    ['an untrusted window', { ...trusted, isWorkspaceTrusted: false }, /Restricted Mode/],
    ['a window without a folder', { ...trusted, workbenchState: 'empty' }, /Open a folder/],
    ['no runtime yet', { ...trusted, 'weir.runtime': 'idle' }, /Nothing is deployed/],
    ['a runtime and no source', { ...trusted, 'weir.runtime': 'ready' }, /Nothing is deployed/],
    ['a runtime that failed', { ...trusted, 'weir.runtime': 'failed' }, /could not start/],
    ['a runtime that was stopped', { ...trusted, 'weir.runtime': 'stopped' }, /is stopped/],
  ])('of the sources in %s is one text', (_, state, text) => {
    expect(welcomeText('weir.sources', state)).toEqual([expect.stringMatching(text)]);
  });

  test('while the runtime starts says nothing that may be wrong a second later', () => {
    expect(welcomeText('weir.sources', { ...trusted, 'weir.runtime': 'starting' })).toEqual([]);
  });

  test.each(['weir.events', 'weir.subscriptions'])(
    'of %s is one text, with and without sources',
    (view) => {
      for (const hasSources of [true, false]) {
        const shown = welcomeText(view, { ...trusted, 'weir.hasSources': hasSources });
        expect(shown).toHaveLength(1);
      }
    },
  );

  test('says what is the matter before its buttons, of which there are two at most', () => {
    for (const { contents } of contributes.viewsWelcome) {
      const [first = '', ...lines] = contents.split('\n');
      expect(first).toMatch(/^[A-Z].*\.$/);
      const buttons = lines.filter((line) => /^\[[^\]]+\]\(command:[^)]+\)$/.test(line));
      expect(buttons.length).toBeLessThanOrEqual(2);
    }
  });
});

describe('without a runtime to be had', () => {
  test('what is refused there is no failure of a runtime: nothing shows one, and it is said once', async () => {
    const { context, person, commands, ran } = world;
    expect(context.get('weir.runtime')).toBe('idle');
    expect(world.statusBar.shown).toBe(false);
    person.heard.length = 0;
    await commands.get('weir.debug')?.('/nowhere/tick.mjs');
    expect(ran.filter(({ id }) => id === 'debug')).toHaveLength(1);
    // VS Code itself asks for trust before it debugs.
    expect(person.heard).toEqual([]);
    await commands.get('weir.copyEndpoint')?.();
    expect(person.heard).toEqual(['Weir runs nothing until you trust this workspace.']);
    expect(context.get('weir.runtime')).toBe('idle');
  });

  test.each(contributedCommands)('%s is found, and says at most what hinders it', async (id) => {
    world.person.heard.length = 0;
    const command = world.commands.get(id);
    if (command === undefined) throw new Error(`${id} is not registered.`);
    await command();
    const fault = /undefined|null|is not a function|Cannot read|not found$/;
    expect(world.person.heard.filter((said) => fault.test(said))).toEqual([]);
  });

  test('what runs code is switched off until the window is trusted', () => {
    const off = contributes.commands.filter((one) => {
      const enablement = 'enablement' in one ? one.enablement : undefined;
      return !holds(enablement, new Map([['isWorkspaceTrusted', false]]));
    });
    const ids = off.map(({ command }) => command);
    expect(ids).toEqual(
      expect.arrayContaining([
        'weir.deploy',
        'weir.invoke',
        'weir.debug',
        'weir.replay',
        'weir.runAction',
      ]),
    );
  });
});

function isCommand(id: string): boolean {
  return [...contributedCommands, ...internalCommands].some((command) => command === id);
}
