import path from 'node:path';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import * as vscode from 'vscode';
import { until } from '../../support/until.ts';

/**
 * The window the tests run in, as a user sees it: Playwright joins, over the browser's debugging
 * port, the very page (or Electron window) that shows this workbench.
 */
let browser: Browser | undefined;

/** A click or a wait that takes longer has failed; a machine that is shared takes its time. */
const actionLimitMs = 30_000;

export async function workbench(): Promise<Page> {
  browser ??= await chromium.connectOverCDP(process.env['WEIR_TEST_CDP'] ?? '', {
    // Some Electron builds refuse what Playwright would set by default.
    noDefaults: true,
  });
  return until('a page that shows the workbench', async () => {
    for (const context of browser?.contexts() ?? []) {
      for (const page of context.pages()) {
        if ((await page.locator('.monaco-workbench').count()) === 0) continue;
        page.setDefaultTimeout(actionLimitMs);
        return page;
      }
    }
    return undefined;
  });
}

export async function disconnect(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

/** Runs a command the way a user does: F1, its title, Enter. */
export async function runCommand(title: string): Promise<void> {
  const page = await workbench();
  const box = page.locator('.quick-input-widget input');
  const offered = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
  // What takes the focus meanwhile, such as a page that opens, closes the list.
  await until(
    `the command ${title}`,
    async () => {
      await page.keyboard.press('F1');
      try {
        await box.waitFor({ timeout: 5000 });
        await box.fill(`>${title}`, { timeout: 5000 });
        await offered.click({ timeout: 5000 });
        return true;
      } catch {
        return false;
      }
    },
    60_000,
  );
}

/** Types into the quick input that shows this title, and accepts. */
export async function answer(title: string, text: string): Promise<void> {
  const page = await workbench();
  const widget = page.locator('.quick-input-widget', { hasText: title });
  await widget.waitFor();
  await widget.locator('input').first().fill(text);
  await page.keyboard.press('Enter');
}

/** Picks the first row with this text in the quick pick that shows this title, by typing it. */
export async function pick(title: string, row: string): Promise<void> {
  const page = await workbench();
  const widget = page.locator('.quick-input-widget', { hasText: title });
  const found = widget.locator('.monaco-list-row.focused', { hasText: row });
  await widget.locator('.monaco-list-row').first().waitFor();
  await widget.locator('input').first().fill(row);
  await found.waitFor();
  await page.keyboard.press('Enter');
  // The next question may have the same title: what is typed for it must not land in this one.
  await found.waitFor({ state: 'hidden' });
}

/** Answers the dialog for files that shows this title: VS Code's own, not the operating system's. */
export async function chooseFile(title: string, file: string): Promise<void> {
  const page = await workbench();
  const ok = page.getByRole('button', { name: 'OK', exact: true });
  const dialog = page.locator('.quick-input-widget', { hasText: title }).filter({ has: ok });
  const box = dialog.locator('input').first();
  await dialog.waitFor();
  // It opens with a path of its own, and takes no answer while it looks into folders.
  await until(`${file} to be chosen`, async () => {
    if (!(await dialog.isVisible())) return true;
    const limit = { timeout: 1000 };
    const shown = await box.inputValue(limit).catch(() => '');
    const answered = shown === file ? dialog.locator(ok).click(limit) : box.fill(file, limit);
    await answered.catch(() => undefined);
    return false;
  });
}

/** Answers a modal dialog. */
export async function confirm(question: string, button: string): Promise<void> {
  const page = await workbench();
  const dialog = page.locator('.monaco-dialog-box', { hasText: question });
  await dialog.locator('.monaco-button', { hasText: button }).first().click();
}

/** The texts of the code lenses in the active editor. */
export async function lenses(): Promise<string[]> {
  const page = await workbench();
  return page.locator('.editor-group-container.active .codelens-decoration a').allInnerTexts();
}

export async function lens(text: string): Promise<Locator> {
  const page = await workbench();
  return page.locator('.editor-group-container.active .codelens-decoration a', { hasText: text });
}

/** What was said in a notification, shown. A window under test may keep back its toasts. */
export async function notification(text: string | RegExp): Promise<Locator> {
  const page = await workbench();
  const shown = page.locator('.notification-list-item', { hasText: text }).first();
  await until(`the notification ${String(text)}`, async () => {
    if (await shown.isVisible()) return true;
    await vscode.commands.executeCommand('notifications.showList');
    return shown.isVisible();
  });
  return shown;
}

/** Whether there is such a notification now. */
export async function isNotified(text: string | RegExp): Promise<boolean> {
  const page = await workbench();
  await vscode.commands.executeCommand('notifications.showList');
  const found = await page.locator('.notification-list-item', { hasText: text }).count();
  await vscode.commands.executeCommand('notifications.hideList');
  return found > 0;
}

/** Folder of the pictures that tests take. */
export const screenshots = process.env['WEIR_TEST_SCREENSHOTS'] ?? '';

export async function screenshot(name: string): Promise<void> {
  const page = await workbench();
  await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

const plainThemes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'high-contrast-dark': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
} as const;

export type Theme = keyof typeof plainThemes;
export const themes = Object.keys(plainThemes) as Theme[];

/** Switches the workbench to a theme, or back to what a new user has. */
export async function useTheme(theme: Theme | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration('workbench');
  const name = theme === undefined ? undefined : plainThemes[theme];
  await settings.update('colorTheme', name, vscode.ConfigurationTarget.Global);
  if (theme === undefined) return;
  const page = await workbench();
  const wanted = theme.startsWith('high') ? 'hc' : theme === 'light' ? 'vs' : 'vs-dark';
  await until('the theme', async () =>
    ((await page.locator('.monaco-workbench').getAttribute('class')) ?? '').includes(wanted),
  );
}

/** After a failed test: how it looked, and nothing left open for the next one. */
export async function afterFailure(title: string): Promise<void> {
  await screenshot(`failed ${title.replaceAll(/[^\w-]+/g, ' ').slice(0, 60)}`);
  const page = await workbench();
  for (let n = 0; n < 3; n++) await page.keyboard.press('Escape');
}
