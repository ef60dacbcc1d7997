import type { RuntimeMessage } from '../../../src/webview/shared/page-runtime.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchBrowser } from '../../../scripts/editor/browser.mts';
import { pageHtml } from '../../../src/extension/webview-page.ts';
import { until } from '../../support/until.ts';
import themes from './themes.json' with { type: 'json' };

export type Theme = keyof typeof themes;
export const allThemes = Object.keys(themes) as Theme[];

const origin = 'https://page.test';
const built = path.resolve('dist', 'webview');

let browser: Browser;

/** One browser for the tests of a file. A missing one is a failure. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
}

interface Message {
  readonly t: string;
}

/** A built page in a browser, and the other side of its messages. */
export interface ShownPage<FromPage extends Message, ToPage, Kept> {
  readonly page: Page;
  /** Everything the page has said, in order. */
  readonly sent: FromPage[];
  say(message: ToPage | RuntimeMessage): Promise<void>;
  /** The next message of a kind, from the last one that was awaited on. */
  heard<T extends FromPage['t']>(t: T): Promise<Extract<FromPage, { t: T }>>;
  /** What the page left with VS Code. */
  kept(): Promise<Kept | undefined>;
  /** What axe-core finds wrong with the page as it is. */
  violations(): Promise<string[]>;
  /** Changes the theme while the page is open. */
  changeTheme(theme: Theme): Promise<void>;
}

export interface PageOptions<FromPage> {
  /** Its files in dist/webview, without their extensions. */
  readonly bundle: string;
  /** As the host checks what the page sends. */
  readonly parse: (sent: unknown) => FromPage | undefined;
  readonly theme?: Theme | undefined;
  /** From before a reload of the window. */
  readonly kept?: unknown;
  readonly width?: number | undefined;
}

/** Loads a page as VS Code does, with the policy it has there. Warnings and errors in its console fail the test. */
export async function loadPage<FromPage extends Message, ToPage, Kept>({
  bundle,
  parse,
  theme = 'light',
  kept,
  width = 800,
}: PageOptions<FromPage>): Promise<ShownPage<FromPage, ToPage, Kept>> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const sent: FromPage[] = [];
  const problems: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') problems.push(line.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  onTestFinished(() => {
    if (problems.length > 0) throw new Error(`The page logged: ${problems.join('\n')}`);
  });

  const html = pageHtml({
    cspSource: origin,
    nonce: 'n0nce',
    script: `${origin}/${bundle}.js`,
    style: `${origin}/${bundle}.css`,
  });
  await page.route(`${origin}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '') return route.fulfill({ contentType: 'text/html', body: html });
    const contentType = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    return route.fulfill({ contentType, body: await readFile(path.join(built, name)) });
  });
  await page.exposeFunction('toHost', (message: unknown) => {
    const parsed = parse(message);
    if (parsed === undefined) throw new Error(`Not a message: ${JSON.stringify(message)}`);
    // The real host hands on what it was given, and not a checked copy of less.
    sent.push(parsed);
  });
  await page.addInitScript(asInVsCode, kept);
  await page.goto(origin);
  await page.evaluate(applyDefaults, defaultStyle);
  await page.evaluate(applyTheme, themes[theme]);

  let awaited = 0;
  const shown: ShownPage<FromPage, ToPage, Kept> = {
    page,
    sent,
    say: (message) => page.evaluate((data) => window.postMessage(data, '*'), message),
    heard: <T extends FromPage['t']>(t: T) =>
      until(`the page to say ${t}`, (seen) => {
        const at = seen(sent).findIndex((message, index) => index >= awaited && message.t === t);
        if (at < 0) return false;
        awaited = at + 1;
        return sent[at] as Extract<FromPage, { t: T }>;
      }),
    kept: () => page.evaluate(() => (window as unknown as { kept?: Kept }).kept),
    async violations() {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (window as unknown as { axe: typeof axe }).axe.run(document, {
          resultTypes: ['violations'],
        }),
      );
      return violations.map(
        ({ id, help, nodes }) =>
          `${id}: ${help}: ${nodes.map(({ html: where }) => where).join(' | ')}`,
      );
    },
    changeTheme: (next) => page.evaluate(applyTheme, themes[next]),
  };
  await shown.heard('ready');
  return shown;
}

/** Runs in the page before its bundle: what VS Code puts around a webview. */
function asInVsCode(kept: unknown): void {
  const world = window as unknown as {
    kept: unknown;
    toHost: (message: unknown) => void;
    acquireVsCodeApi: () => unknown;
  };
  world.kept = kept;
  let isTaken = false;
  world.acquireVsCodeApi = () => {
    if (isTaken) throw new Error('VS Code hands its API out once.');
    isTaken = true;
    return {
      postMessage: (message: unknown) => world.toHost(message),
      getState: () => world.kept,
      setState: (state: unknown) => {
        world.kept = JSON.parse(JSON.stringify(state));
      },
    };
  };
}

/** What VS Code gives every webview, as far as it is seen (its `webview/browser/pre/index.html`). */
const defaultStyle = `@layer vscode-default {
  body { padding: 0 20px; color: var(--vscode-editor-foreground); background-color: transparent; }
  a, a code { color: var(--vscode-textLink-foreground); }
  code {
    padding: 1px 3px;
    color: var(--vscode-textPreformat-foreground);
    background-color: var(--vscode-textPreformat-background);
    border-radius: 4px;
  }
  pre code { padding: 0; }
  blockquote {
    background: var(--vscode-textBlockQuote-background);
    border-color: var(--vscode-textBlockQuote-border);
  }
}`;

/** Runs in the page, whose policy lets in no style element. */
function applyDefaults(style: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
}

/** Runs in the page: a theme is a class of the body and the variables of the document. */
function applyTheme({ bodyClass, variables }: { bodyClass: string; variables: object }): void {
  document.body.className = bodyClass;
  document.documentElement.removeAttribute('style');
  for (const [name, value] of Object.entries(variables)) {
    document.documentElement.style.setProperty(name, String(value));
  }
}
