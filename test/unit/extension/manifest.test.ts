import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { contributedCommands, internalCommands } from '../../../src/extension/commands/ids.ts';
import {
  runtimeArgumentNames,
  runtimeSettingNames,
} from '../../../src/extension/connection/runtime-settings.ts';
import { defaultSettings } from '../../../src/runtime/base/settings.ts';
import { holds } from './fake-vscode/when.ts';
import { shownContextValues } from './context-values.ts';

vi.mock('vscode', () => import('./fake-vscode/vscode.ts'));

interface MenuItem {
  command: string;
  when?: string;
  group?: string;
}
const { contributes } = manifest;
const menus = contributes.menus as Record<string, MenuItem[]>;
const menuItems = Object.entries(menus).flatMap(([menu, items]) =>
  items.map((item) => ({ menu, group: undefined, when: undefined, ...item })),
);
const contributed: readonly string[] = contributedCommands;

/** Others rely on these (`executeCommand`, key bindings): none is renamed or removed. */
const fixedCommands =
  `deploy update configure invoke debug dev activate deactivate rename delete openEvent replay compareEvents
  searchEvents copyEndpoint showLogs createWebhook createSubscription deleteWebhook deleteSubscription
  showDelivery redeliver runAction addAccount connectAccount newComponent runtime.restart runtime.stop showOutput`
    .split(/\s+/)
    .map((name) => `weir.${name}`);

describe('commands', () => {
  test('the table and the manifest name the same ones', () => {
    expect(contributes.commands.map(({ command }) => command).sort()).toEqual(
      [...contributed].sort(),
    );
  });

  test('every fixed name is registered', () => {
    const registered = [...contributed, ...internalCommands];
    expect(fixedCommands.filter((id) => !registered.includes(id))).toEqual([]);
  });

  test.each(contributes.commands)('$command reads as a command', ({ title, category }) => {
    expect(category).toBe('Weir');
    expect(title).toMatch(
      /^([A-Z][a-z]+|of|URL|a|the)( ([A-Z]\w*|cURL|of|with|a|as|from|in|the|to))*…?$/,
    );
    expect(title).not.toContain('Weir');
  });
});

describe('menus', () => {
  test.each(menuItems)('$command in $menu exists and stands in a known group', (item) => {
    expect(contributed).toContain(item.command);
    // The palette has no groups.
    expect(item.group ?? 'navigation@1').toMatch(
      /^(navigation|inline|1_run|2_\w+|7_weir|8_runtime|9_delete)@\d+$/,
    );
  });

  test.each(menuItems.filter(({ when }) => when?.includes('viewItem')))(
    '$command in $menu matches a row that is shown',
    ({ when = '' }) => {
      const wanted = [...when.matchAll(/viewItem =~ \/(;[\w;]+;)\//g)].map(
        ([, token]) => token ?? '',
      );
      expect(wanted).not.toEqual([]);
      expect(
        shownContextValues.some((value) => wanted.every((token) => value.includes(token))),
      ).toBe(true);
    },
  );

  test('at most three inline actions on a row', () => {
    for (const value of shownContextValues) {
      const inline = menuItems.filter(({ group = '', when = '' }) => {
        const tokens = [...when.matchAll(/;\w+;/g)].map(([token]) => token);
        return group.startsWith('inline') && tokens.every((token) => value.includes(token));
      });
      expect(inline.length).toBeLessThanOrEqual(3);
    }
  });
});

test('the palette offers what works on something only where there is something', () => {
  const palette = new Map(menus['commandPalette']?.map(({ command, when }) => [command, when]));
  const nothing = new Map<string, unknown>([['weir.hasSources', false]]);
  const offered = contributed.filter((id) => holds(palette.get(id), nothing));
  expect(offered.length).toBeLessThan(60);
  for (const id of [
    'skipPause',
    'pinStep',
    'retryFailed',
    'cancelScheduled',
    'openEvent',
    'replay',
  ]) {
    expect(offered).not.toContain(`weir.${id}`);
  }
  for (const id of ['deploy', 'deployWorkflow', 'newComponent', 'browseComponents', 'showOutput']) {
    expect(offered).toContain(`weir.${id}`);
  }
});

/** Keys of VS Code's own that our clauses use. */
const foreignKeys = new Set([
  'false',
  'debugConfigurationType',
  'debugState',
  'editorLangId',
  'editorTextFocus',
  'focusedView',
  'inputFocus',
  'isInDiffEditor',
  'isWorkspaceTrusted',
  'editorLangId',
  'listFocus',
  'explorerResourceIsFolder',
  'activeCustomEditorId',
  'resourceExtname',
  'resourceFilename',
  'resourceScheme',
  'view',
  'viewItem',
  'workbenchState',
]);

test('every key in a when clause is one of ours that is declared, or a known one', () => {
  const declared = readFileSync('src/extension/context-keys.ts', 'utf8');
  const clauses = [
    ...menuItems.map(({ when }) => when),
    ...contributes.viewsWelcome.map(({ when }) => when),
    ...contributes.keybindings.map(({ when }) => when),
    ...contributes.commands.map((command) => ('enablement' in command ? command.enablement : '')),
  ];
  for (const term of clauses.flatMap((clause) => (clause ?? '').split(/&&|\|\|/))) {
    const [key = ''] = term.replace(/^[\s!(]+/, '').split(/[\s)]/);
    if (key === '' || foreignKeys.has(key)) continue;
    expect(key).toMatch(/^weir\.\w+$/);
    expect(declared).toContain(`'${key}'`);
  }
});

/** WCAG: of a colour that is drawn on another. */
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Of side bars and selected rows in the light themes that VS Code brings. */
const lightBackgrounds = ['#ffffff', '#f8f8f8', '#f3f3f3', '#e8e8e8', '#e4e6f1', '#d6ebff'];

test.each(contributes.colors)('$id is a colour of icons that can be told apart', (colour) => {
  for (const background of lightBackgrounds) {
    expect(contrast(colour.defaults.light, background)).toBeGreaterThanOrEqual(3);
  }
});

test('no row has a colour of another’s, whose contrast is not ours to keep', () => {
  const ours = contributes.colors.map(({ id }) => id);
  const lines = readdirSync('src/extension/views').filter((name) => name.endsWith('-line.ts'));
  const used = lines.flatMap((name) => [
    ...readFileSync(`src/extension/views/${name}`, 'utf8').matchAll(
      /'(weir\.\w+|\w+\.icon\w+|\w+Foreground)'/g,
    ),
  ]);
  expect(used.length).toBeGreaterThan(5);
  for (const [, id] of used) expect(ours).toContain(id);
});

test('no proposed API, no text that has to be looked up', () => {
  expect(manifest).not.toHaveProperty('enabledApiProposals');
  // There is no package.nls.json.
  expect(JSON.stringify(manifest)).not.toMatch(/"%[^"]+%"/);
});

test('a welcome text links only to commands that exist', () => {
  const links = contributes.viewsWelcome.flatMap(({ contents }) => [
    ...contents.matchAll(/\(command:(weir\.[\w.]+)\)/g),
  ]);
  expect(links.length).toBeGreaterThan(0);
  for (const [, id] of links) expect(contributed).toContain(id);
});

test('the runtime’s settings are the manifest’s, with the same defaults', () => {
  const declared = Object.assign(
    {},
    ...contributes.configuration.map((group) => group.properties),
  ) as Record<string, { default: unknown }>;
  const ofEditor = ['agents.languageModelTools', 'codeLens.enabled'];
  const ours = [...ofEditor, ...runtimeArgumentNames, ...runtimeSettingNames];
  expect(Object.keys(declared).sort()).toEqual(ours.map((name) => `weir.${name}`).sort());
  // What is asked by other machines is started by `weir serve`, never by an editor.
  const ofServer = ['health.freeMb', 'limits.endpointPerSecond', 'limits.keyPerSecond'];
  expect([...runtimeSettingNames, ...ofServer].sort()).toEqual(Object.keys(defaultSettings).sort());
  for (const [name, value] of Object.entries(defaultSettings)) {
    if (ofServer.includes(name)) continue;
    // A person in an editor can be asked, a program in a terminal cannot.
    if (name === 'packages.install') continue;
    const shown = declared[`weir.${name}`]?.default;
    expect(typeof shown === 'object' ? JSON.stringify(shown) : shown).toBe(value);
  }
});

test('a walkthrough has four to six steps, each with a picture and an end that can come', () => {
  const [walkthrough] = contributes.walkthroughs;
  expect(walkthrough?.steps.length).toBeGreaterThanOrEqual(4);
  expect(walkthrough?.steps.length).toBeLessThanOrEqual(6);
  const declared = readFileSync('src/extension/context-keys.ts', 'utf8');
  for (const { media, description, completionEvents } of walkthrough?.steps ?? []) {
    expect(readFileSync(media.svg, 'utf8')).toContain('<svg');
    expect(media.altText).not.toBe('');
    const [, linked] = /\(command:(weir\.\w+)\)/.exec(description) ?? [];
    expect(contributed).toContain(linked);
    for (const event of completionEvents) {
      const [kind, name] = event.split(':');
      if (kind === 'onCommand') expect(contributed).toContain(name);
      else expect(declared).toContain(`'${name}'`);
    }
  }
});

test('F5 does not wait for a context key that VS Code sets late', () => {
  const f5 = contributes.keybindings.filter(({ command }) => command === 'weir.debugEditor');
  expect(f5.map(({ key }) => key)).toEqual(['f5']);
  // VS Code sets it when the window has been restored.
  expect(f5[0]?.when).not.toContain('isWorkspaceTrusted');
});

test('every setting has a description and a scope', () => {
  for (const { properties } of contributes.configuration) {
    for (const [name, setting] of Object.entries(properties)) {
      expect(name).toMatch(/^weir\./);
      expect(setting.markdownDescription).toMatch(/\.$/);
      expect(setting.scope).toBeDefined();
    }
  }
});

test('starts on what shows a lens, a form, a value or a workspace that was used, never on everything', () => {
  expect([...manifest.activationEvents].sort()).toEqual(
    [
      'onCommand:weir.debugEditor',
      'onLanguage:http',
      'onLanguage:javascript',
      'onLanguage:typescript',
      'onDebugResolve:weir',
      'onDebugDynamicConfigurations:weir',
      'onFileSystem:weir-value',
      'onWebviewPanel:weir.propForm',
      'onWebviewPanel:weir.workflowPage',
      'onWebviewPanel:weir.inspector',
      'workspaceContains:**/workflow.yaml',
      'workspaceContains:.weir/weir.db',
    ].sort(),
  );
});

test('the types are those of the oldest VS Code that is supported', () => {
  expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode']}`);
});

test('runs where the files are, and nothing without trust', () => {
  expect(manifest.extensionKind).toEqual(['workspace']);
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
  expect(manifest.capabilities.virtualWorkspaces.supported).toBe(false);
});

describe('icons', () => {
  test('the Marketplace icon is a PNG of 128 pixels at least', () => {
    const png = readFileSync(manifest.icon);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(128);
  });

  test('the activity bar icon has one colour', () => {
    const [container] = contributes.viewsContainers.activitybar;
    const svg = readFileSync(container?.icon ?? '', 'utf8');
    const colours = new Set([...svg.matchAll(/#[0-9a-f]{3,8}/gi)].map(([colour]) => colour));
    expect(svg).toContain('viewBox="0 0 24 24"');
    expect(colours.size).toBe(1);
  });
});
