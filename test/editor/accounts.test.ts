/** Accounts as a person sees them in the editor: sessions of VS Code, and OAuth by hand at a real server. */
import { match, notStrictEqual, ok, strictEqual } from 'node:assert';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import * as vscode from 'vscode';
import type { Account } from '../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import {
  acme,
  clientId,
  clientSecret,
  startProvider,
  type TestProvider,
} from '../support/oauth-provider.ts';
import { until } from '../support/until.ts';
import { form, formGone, submit } from './support/form.ts';
import { menu, row, unfoldView } from './support/rows.ts';
import {
  answer,
  confirm,
  isNotified,
  lens,
  notification,
  pick,
  runCommand,
  screenshot,
  screenshots,
  themes,
  useTheme,
  workbench,
} from './support/ui.ts';
import { inWorkspace, open, showSideBar, startAfresh, weir } from './support/weir.ts';
import { canOpenWindows, inWindow, rowIn, runCommandIn } from './support/windows.ts';

const echo = `export default {
  key: "acme-echo", name: "Acme echo", version: "0.0.1", type: "source",
  props: {
    acme: { type: "app", app: "acme" },
    http: { type: "$.interface.http", customResponse: true },
  },
  run() {
    this.http.respond({ status: 200, body: this.acme.$auth.oauth_access_token });
  },
};
`;

/** What the extension of the tests with the authentication provider exports. */
interface Sessions {
  tokens(): readonly string[];
  renew(): void;
  signOut(): Promise<void>;
}

suite('accounts that connect', function () {
  this.timeout(240_000);
  const atEnd = atEndOfSuite();
  const file = (): string => inWorkspace('components', 'acme-echo.mjs');
  let provider: TestProvider;

  suiteSetup(async function () {
    // Dialogs, and a browser that tests can look at, are there in a browser only.
    if (!canOpenWindows) this.skip();
    await startAfresh();
    await withoutProxy(await workbench());
    await vscode.commands.executeCommand('weir.accounts.focus');
    provider = await startProvider(atEnd);
    const { methods, ...app } = acme(provider);
    // A code on a device is tried on the command line: here it would be one row more.
    const [oauth] = methods.map((method) => ({ ...method, grants: ['code'] }));
    const editor = { type: 'editor', provider: 'weir-test-sessions', scopes: ['orders'] };
    await mkdir(inWorkspace('weir', 'apps'), { recursive: true });
    await writeFile(
      inWorkspace('weir', 'apps', 'acme.json'),
      JSON.stringify({ ...app, check: undefined, methods: [oauth, editor] }),
    );
    await writeFile(file(), echo);
  });

  /** What a test that fails leaves must not stand in the way of others: a page in front of the workbench, which then takes no click. */
  const toUndo: (() => Promise<void>)[] = [];
  teardown(async () => {
    for (const undo of toUndo.splice(0)) await undo();
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    const page = await workbench();
    for (const other of page.context().pages()) {
      if (other !== page && !(await other.locator('.monaco-workbench').count()))
        await other.close();
    }
    await page.bringToFront();
  });

  suiteTeardown(async () => {
    await useTheme(undefined);
    const { runtime } = await weir();
    for (const { id } of await accounts()) await runtime.call('accounts.delete', { id });
    await rm(inWorkspace('weir'), { recursive: true, force: true });
    await rm(file(), { force: true });
    await rm(inWorkspace('shop'), { recursive: true, force: true });
    await unfoldView('Accounts', false);
    await startAfresh();
  });

  async function accounts(): Promise<readonly Account[]> {
    const { runtime } = await weir();
    return (await runtime.call('accounts.list', { limit: 100 })).data;
  }

  async function only(): Promise<Account> {
    const [account, ...others] = await accounts();
    ok(account, 'There is an account.');
    strictEqual(others.length, 0);
    return account;
  }

  async function sessions(): Promise<Sessions> {
    const extension = vscode.extensions.getExtension<Sessions>('weir.test-sessions');
    ok(extension, 'The extension with the sessions is installed.');
    return extension.activate();
  }

  /** The token that a run has. */
  async function tokenOfRun(): Promise<string> {
    const { runtime } = await weir();
    const { data } = await runtime.call('sources.list', { limit: 100 });
    const url = data.find(({ name }) => name === 'Acme echo')?.endpoint_url;
    ok(url, 'The source is deployed.');
    return (await fetch(url)).text();
  }

  /** Somebody else uses a refresh token that was used before: the server takes the whole grant away. */
  async function loseGrant(): Promise<void> {
    const used = await until('a refresh', async () => {
      await tokenOfRun();
      return provider.tokenRequests.find(({ grant }) => grant === 'refresh_token');
    });
    const body = new URLSearchParams(used.body);
    await fetch(`${provider.url}/token`, { method: 'POST', body });
    await until('the refused refresh', async () => {
      await tokenOfRun();
      return (await only()).dead === true;
    });
    provider.lifetime = 3600;
  }

  /** The page that the editor opens in the browser meanwhile, once it has come back to Weir. */
  async function inBrowser(begin: () => Promise<void>): Promise<Page> {
    const coming = (await workbench()).context().waitForEvent('page');
    await begin();
    const page = await coming;
    await page.getByText('You can close this page').waitFor();
    return page;
  }

  test('the lens above an app leads to the session of VS Code, which its user may refuse', async () => {
    await open(file());
    await (await lens('Connect acme…')).click();
    await pick('Connect Acme', "Use VS Code's Session of Acme");
    await confirm('wants to sign in using Acme ID', 'Cancel');
    strictEqual((await sessions()).tokens().length, 0);

    await (await lens('Connect acme…')).click();
    await pick('Connect Acme', "Use VS Code's Session of Acme");
    await confirm('wants to sign in using Acme ID', 'Allow');
    await (await row('Accounts', 'ann@acme.test')).waitFor();
    const { name, grant, healthy } = await only();
    strictEqual(name, 'ann@acme.test');
    strictEqual(grant, 'editor');
    strictEqual(healthy, true);
    await (await lens('ann@acme.test')).waitFor();
    // Who says no knows that.
    strictEqual(await isNotified('consent'), false);
    await screenshot('accounts-lens');
  });

  test('a run has the token of the session, and the new one when VS Code renews it, without a question', async () => {
    const { runtime } = await weir();
    await runtime.call('sources.deploy', { component_path: file() });
    const [before] = (await sessions()).tokens();
    strictEqual(await tokenOfRun(), before);
    (await sessions()).renew();
    const [after] = (await sessions()).tokens();
    notStrictEqual(after, before);
    await until('the new token', async () => (await tokenOfRun()) === after);
    await until('the row below the account', async () => {
      await (await row('Accounts', 'ann@acme.test')).first().click();
      await (await workbench()).keyboard.press('ArrowRight');
      return (await row('Accounts', 'Acme echo')).isVisible();
    });
    await (await sessions()).signOut();
    // The last token is used until the app refuses it.
    strictEqual(await tokenOfRun(), after);
    await runtime.call('accounts.delete', { id: (await only()).id });
  });

  test('a form connects in the browser, the first time with the OAuth client of its user', async () => {
    await startAfresh();
    await open(file());
    await runCommand('Weir: Deploy Component…');
    const shown = await form('Deploy Acme echo');
    provider.lifetime = 2;
    await shown.getByRole('button', { name: 'Connect…' }).click();
    const page = await inBrowser(async () => {
      await pick('Connect Acme', 'Sign In in the Browser');
      await answer('OAuth Client of Acme', clientId);
      await answer('Its client secret', clientSecret);
    });
    await page.close();
    await shown.getByText('Connected and healthy.').waitFor();
    await screenshot('accounts-form');
    await submit(shown);
    const account = await only();
    strictEqual(account.name, 'ann@acme.test');
    const me = await fetch(`${provider.url}/me`, {
      headers: { authorization: `Bearer ${await tokenOfRun()}` },
    });
    match(await me.text(), /"sub":"ann"/);
  });

  test('who says no in the browser, and who cancels, is where they were', async () => {
    const before = await only();
    await vscode.commands.executeCommand('weir.configure', 'acme-echo');
    const shown = await form('Configure Acme echo');
    provider.person = 'nobody';
    const page = await inBrowser(async () => {
      await shown.getByRole('button', { name: 'Connect…' }).click();
      await pick('Connect Acme', 'Sign In in the Browser');
    });
    await page.close();
    await shown.getByText('Access was denied in the browser.').first().waitFor();
    await screenshot('accounts-denied');

    provider.person = '';
    const coming = (await workbench()).context().waitForEvent('page');
    await shown.getByRole('button', { name: 'Connect…' }).click();
    await pick('Connect Acme', 'Sign In in the Browser');
    await (await coming).close();
    const waiting = await notification('Connecting Acme in the browser');
    await shown.getByRole('button', { name: 'Connecting in the browser' }).waitFor();
    await screenshot('accounts-waiting');
    await waiting.getByRole('button', { name: 'Cancel' }).click();
    await shown.getByRole('button', { name: 'Connect…' }).waitFor();
    strictEqual((await only()).id, before.id);
    await shown.getByRole('button', { name: 'Cancel' }).click();
    provider.person = 'ann';
  });

  test('an account that needs its user says so everywhere, and is connected again in another window', async function () {
    const { id } = await only();
    await loseGrant();
    await (await row('Accounts', 'needs you')).waitFor();
    const page = await workbench();
    await page.locator('.statusbar-item', { hasText: '1 account needs you' }).waitFor();
    await open(file());
    await (await lens('ann@acme.test (needs you)')).waitFor();
    await (await notification(/ann@acme\.test of acme does not work any more/)).waitFor();
    for (const theme of themes) {
      await useTheme(theme);
      await vscode.commands.executeCommand('weir.configure', 'acme-echo');
      const shown = await form('Configure Acme echo');
      await shown.getByRole('button', { name: 'Connect again' }).waitFor();
      await screenshot(`accounts-needs-you-${theme}`);
      await shown.getByRole('button', { name: 'Cancel' }).click();
      await formGone();
    }
    await useTheme(undefined);
    if (!canOpenWindows) this.skip();
    await inWindow({ folder: inWorkspace() }, async (other) => {
      // A form that it restores takes the focus when it comes, and with it menus and lists.
      await runCommandIn(other, 'View: Close All Editors');
      await showSideBar(other);
      const dead = rowIn(other, 'Accounts', 'needs you');
      await dead.waitFor();
      const coming = other.context().waitForEvent('page');
      await menu(dead, 'Connect Account in the Browser…');
      const widget = other.locator('.quick-input-widget', { hasText: 'Connect Acme' });
      await widget.locator('.monaco-list-row', { hasText: 'Sign In in the Browser' }).click();
      const browser = await coming;
      await browser.getByText('You can close this page').waitFor();
      await browser.close();
      await rowIn(other, 'Accounts', 'healthy').waitFor();
    });
    await (await row('Accounts', 'healthy')).waitFor();
    await page.locator('.statusbar-item', { hasText: 'needs you' }).waitFor({ state: 'detached' });
    strictEqual((await only()).id, id);
  });

  test('one that nothing renews is expiring', async () => {
    provider.leaveOut = ['refresh_token'];
    const { runtime } = await weir();
    const { id } = await only();
    const page = await inBrowser(async () => {
      await menu(await row('Accounts', 'ann@acme.test'), 'Connect Account in the Browser…');
      await pick('Connect Acme', 'Sign In in the Browser');
    });
    await page.close();
    await (await row('Accounts', 'expiring')).waitFor();
    strictEqual((await runtime.call('accounts.get', { id })).renews, false);
    for (const theme of themes) {
      await useTheme(theme);
      await screenshot(`accounts-expiring-${theme}`);
    }
    provider.leaveOut = [];
  });

  /** The list of ways to connect a new account. */
  async function ways(): Promise<Locator> {
    await runCommand('Weir: Connect Account in the Browser');
    await pick('Connect Account', 'Acme');
    const list = (await workbench()).locator('.quick-input-widget', { hasText: 'Connect Acme' });
    await list.locator('.monaco-list-row', { hasText: 'Sign In in the Browser' }).waitFor();
    return list;
  }

  test('a new account is shared by a button of the question before it; a window of another folder has it', async function () {
    const page = await workbench();
    const share = 'Share with All Your Folders';
    for (const theme of themes) {
      await useTheme(theme);
      const list = await ways();
      await list.getByText('Available in this folder only.').waitFor();
      await screenshot(`accounts-own-${theme}`);
      await list.getByRole('checkbox', { name: share }).click();
      await list.getByText('Shared with all your folders.').waitFor();
      await screenshot(`accounts-shared-${theme}`);
      await page.keyboard.press('Escape');
    }
    await useTheme(undefined);
    // Who cancels has chosen nothing. With the keyboard alone:
    const list = await ways();
    await list.getByText('Available in this folder only.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await list.getByText('Shared with all your folders.').waitFor();
    const browser = await inBrowser(async () => {
      await list.locator('.monaco-list-row', { hasText: 'Sign In in the Browser' }).click();
    });
    await browser.close();
    await (await row('Accounts', 'shared by your folders')).waitFor();
    const shared = (await accounts()).find(({ kept_for: kept }) => kept === 'user');
    ok(shared, 'It is kept for the user.');

    await (await ways()).getByText('Shared with all your folders.').waitFor();
    await page.keyboard.press('Escape');
    const other = temporaryFolder(atEnd);
    await inWindow({ folder: other }, async (window) => {
      // Its runtime starts with the first question.
      await runCommandIn(window, 'Weir: Connect Account in the Browser');
      const list = window.locator('.quick-input-widget', { hasText: 'Connect Account' });
      await list.locator('.monaco-list-row').first().waitFor();
      await window.keyboard.press('Escape');
      await showSideBar(window);
      await window.locator('.pane-header[aria-label^="Accounts"]').click();
      await rowIn(window, 'Accounts', 'shared by your folders').waitFor();
      await window.screenshot({ path: path.join(screenshots, 'accounts-other-folder.png') });
      await runCommandIn(window, 'Weir: Stop Runtime');
    });
    const { runtime } = await weir();
    await runtime.call('accounts.delete', { id: shared.id });
  });

  test('one of the folder is shared from its row, after a question', async () => {
    const { id, name } = await only();
    for (const theme of themes) {
      await useTheme(theme);
      await menu(await row('Accounts', name), 'Share Account with All Your Folders…');
      const page = await workbench();
      await page.locator('.monaco-dialog-box', { hasText: `Share ${name}` }).waitFor();
      await screenshot(`accounts-share-${theme}`);
      await confirm(`Share ${name} with all your folders?`, 'Cancel');
    }
    strictEqual((await only()).kept_for, undefined);
    await useTheme(undefined);
    await menu(await row('Accounts', name), 'Share Account with All Your Folders…');
    await confirm(`Share ${name} with all your folders?`, 'Share');
    await (await row('Accounts', 'shared by your folders')).waitFor();
    strictEqual((await only()).id, id);
    match(await tokenOfRun(), /\S/);
  });

  test('keys that are entered are shared by a choice in the form, and by a button beside their name', async () => {
    const page = await workbench();
    const { runtime } = await weir();
    const named = async (name: string) => (await accounts()).find((one) => one.name === name);
    await vscode.commands.executeCommand('weir.configure', 'acme-echo');
    const shown = await form('Configure Acme echo');
    await shown.getByRole('button', { name: 'Enter keys' }).click();
    await shown.getByLabel('Name of the account').fill('Shared');
    ok(await shown.getByLabel('All your folders').isChecked());
    await shown.getByLabel('Oauth access token').fill('k-2');
    await screenshot('accounts-form-shared');
    await shown.getByRole('button', { name: 'Save account' }).click();
    await shown.getByText('All your folders share it.').waitFor();
    const shared = await named('Shared');
    strictEqual(shared?.kept_for, 'user');
    await shown.getByRole('button', { name: 'Cancel' }).click();
    await formGone();

    await runCommand('Weir: Add Account…');
    await answer('Add Account', 'acme');
    const box = page.locator('.quick-input-widget', { hasText: 'A name for this account' });
    await box.getByText('Shared with all your folders.').waitFor();
    await screenshot('accounts-keys-shared');
    await box.getByRole('checkbox', { name: 'Share with All Your Folders' }).click();
    await box.getByText('Available in this folder only.').waitFor();
    await answer('A name for this account', 'Own');
    await answer('(oauth_access_token)', 'k-1');
    const own = await until('the account', () => named('Own'));
    strictEqual(own.kept_for, undefined);
    for (const { id } of [own, shared]) await runtime.call('accounts.delete', { id });
  });

  test('where the browser does not come back, it is said at once, and the address that it ended at is pasted', async () => {
    const page = await workbench();
    const { id } = await only();
    const straight = await pageBefore(page);
    toUndo.push(straight);
    const connect = async (): Promise<Locator> => {
      const list = page.locator('.quick-input-widget', { hasText: 'Connect Acme' });
      // What opens late takes the focus, and with it the list.
      await until('the ways to connect', async () => {
        await menu(await row('Accounts', 'ann@acme.test'), 'Connect Account in the Browser…');
        const first = list.locator('.monaco-list-row').first();
        return first.waitFor({ timeout: 5000 }).then(
          () => true,
          () => false,
        );
      });
      // What is there stays where it is.
      strictEqual(await list.getByRole('checkbox').count(), 0);
      await pick('Connect Acme', 'Sign In in the Browser');
      return page.locator('.quick-input-widget', { hasText: 'paste the whole address' });
    };
    const coming = page.context().waitForEvent('page');
    const box = await connect();
    await box.waitFor();
    const browser = await coming;
    const address = await signInElsewhere(browser);
    await browser.screenshot({ path: path.join(screenshots, 'accounts-elsewhere.png') });
    await browser.close();
    for (const theme of themes) {
      await useTheme(theme);
      await screenshot(`accounts-paste-${theme}`);
    }
    await useTheme(undefined);
    await answer('paste the whole address', 'http://127.0.0.1/somewhere');
    await box
      .getByText(/Paste the whole address that the browser ended at; it begins with/)
      .waitFor();
    await screenshot('accounts-paste-wrong');
    // Closed by mistake, it comes back.
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden' });
    const waiting = await notification('Connecting Acme in the browser');
    await waiting.getByText('paste its address').click();
    await answer('paste the whole address', address);
    await page.locator('.statusbar-item', { hasText: 'Acme connected' }).waitFor();
    await box.waitFor({ state: 'hidden' });
    strictEqual((await only()).id, id);
    strictEqual(await isNotified('Connecting Acme'), false);

    // A page that was closed too early is opened again; who gives up is asked nothing more.
    const first = page.context().waitForEvent('page');
    await connect();
    await (await first).close();
    const second = page.context().waitForEvent('page');
    await box.getByRole('button', { name: 'Open the Page Again' }).click();
    await (await second).close();
    const again = await notification('Connecting Acme in the browser');
    await again.getByRole('button', { name: 'Cancel' }).click();
    await box.waitFor({ state: 'hidden' });
    await straight();
    strictEqual((await only()).healthy, true);
  });

  test('the lens in the file of an app connects it by the definition beside it, and a form says what is wrong with that', async () => {
    provider.leaveOut = [];
    const { runtime } = await weir();
    for (const { id } of await accounts()) await runtime.call('accounts.delete', { id });
    const folder = inWorkspace('shop');
    const beside = inWorkspace('shop', 'shop.auth.json');
    await mkdir(folder);
    const own = acme(provider, { app: 'shop', name: 'Shop' }, { grants: ['code'] });
    await writeFile(
      inWorkspace('shop', 'shop.app.mjs'),
      'export default { type: "app", app: "shop" };\n',
    );
    await writeFile(beside, `${JSON.stringify({ ...own, colour: 'red' }, null, 2)}\n`);
    await writeFile(
      inWorkspace('shop', 'shop-echo.mjs'),
      echo
        .replace('acme: { type: "app", app: "acme" }', 'shop')
        .replaceAll('acme', 'shop')
        .replace('Acme', 'Shop')
        .replace(/^/, 'import shop from "./shop.app.mjs";\n'),
    );
    // The editor knows what may stand in it.
    await open(beside);
    await until('what is wrong in the file', (seen) =>
      seen(
        vscode.languages.getDiagnostics(vscode.Uri.file(beside)).map(({ message }) => message),
      ).some((message) => message.includes('colour')),
    );
    await writeFile(beside, JSON.stringify(own));

    await open(inWorkspace('shop', 'shop.app.mjs'));
    const page = await inBrowser(async () => {
      await (await lens('Connect shop…')).click();
      await pick('Connect Shop', 'Sign In in the Browser');
      await answer('OAuth Client of Shop', clientId);
      await answer('Its client secret', clientSecret);
    });
    await page.close();
    await (await lens('ann@acme.test')).waitFor();
    await screenshot('accounts-companion-lens');

    await writeFile(beside, '{');
    await open(inWorkspace('shop', 'shop-echo.mjs'));
    for (const theme of themes) {
      await useTheme(theme);
      await runCommand('Weir: Deploy Component…');
      const shown = await form('Deploy Shop echo');
      await shown.getByText('shop.auth.json is not JSON').waitFor();
      await screenshot(`accounts-companion-${theme}`);
      await shown.getByRole('button', { name: 'Cancel' }).click();
      await formGone();
    }
    await useTheme(undefined);
    await writeFile(beside, JSON.stringify(own));
    await runCommand('Weir: Deploy Component…');
    const shown = await form('Deploy Shop echo');
    await shown.getByText('Connected and healthy.').waitFor();
    await shown.getByRole('button', { name: 'Cancel' }).click();
    await formGone();
  });
});

/**
 * Goes on in a browser as one does that is on another machine than the runtime: what the app sends it back to cannot be loaded.
 * A route of Playwright would not see that address, as it comes by a redirect.
 * @returns the address that it ends at
 */
async function signInElsewhere(browser: Page): Promise<string> {
  const session = await browser.context().newCDPSession(browser);
  const ended = new Promise<string>((resolve) =>
    session.on('Fetch.requestPaused', ({ requestId, request }) => {
      if (!new URL(request.url).pathname.startsWith('/oauth/callback')) {
        void session.send('Fetch.continueRequest', { requestId });
        return;
      }
      const refused = { requestId, errorReason: 'ConnectionRefused' } as const;
      void session.send('Fetch.failRequest', refused).then(() => resolve(request.url));
    }),
  );
  await session.send('Fetch.enable', {});
  await browser.getByRole('link', { name: 'Sign in' }).click();
  return ended;
}

/** A page comes before the one of the app, for those who have to prepare the browser first. @returns ends that */
async function pageBefore(page: Page): Promise<() => Promise<void>> {
  const answer = async (route: Route): Promise<void> => {
    const body = `<a href="${behindProxy(route)}">Sign in</a>`;
    await route.fulfill({ contentType: 'text/html', body });
  };
  await page.context().route(viaProxy, answer);
  return () => page.context().unroute(viaProxy, answer);
}

const viaProxy = /\/proxy\/\d+\//;

/**
 * code-server leads a browser to addresses of its machine through a proxy, which is not part of the
 * server that tests start.
 */
async function withoutProxy(page: Page): Promise<void> {
  await page.context().route(viaProxy, async (route) => {
    await route.fulfill({ status: 302, headers: { location: behindProxy(route) } });
  });
}

function behindProxy(route: Route): string {
  const { pathname, search } = new URL(route.request().url());
  const [, port = '', rest = ''] = /^\/proxy\/(\d+)(.*)$/.exec(pathname) ?? [];
  return `http://127.0.0.1:${port}${rest}${search}`;
}
