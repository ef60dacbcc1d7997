/** The views of the side bar as a person uses them: rows, what stands on them, and their context menus. */
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { workbench } from './ui.ts';

/** A try that takes longer has met something that came between, and is made again. In ms. */
const tryMs = 3000;

/** The row with this text in a view of the side bar. */
export async function row(view: string, text: string | RegExp): Promise<Locator> {
  return rowsIn(await workbench(), view, text);
}

/** The same in a window. */
export function rowsIn(page: Page, view: string, text: string | RegExp): Locator {
  return page
    .locator('.pane', { has: page.locator(`.pane-header[aria-label^="${view}"]`) })
    .locator('.pane-body .monaco-list-row', { hasText: text });
}

/** As the page has it, whose types the project does not load. */
interface ElementOfRow {
  readonly dataset: Readonly<Record<string, string | undefined>>;
  readonly innerText: string;
}

/** The texts of the rows of a view that can be seen, from top to bottom: VS Code keeps them in any order. */
export async function rows(view: string): Promise<string[]> {
  const shown = await row(view, '');
  return shown.evaluateAll((found: readonly ElementOfRow[]) =>
    found
      .toSorted((a, b) => Number(a.dataset['index']) - Number(b.dataset['index']))
      .map(({ innerText }) => innerText),
  );
}

/** Unfolds a view of the side bar, or folds it. Rows of a view that is too low are not there to be found. */
export async function unfoldView(view: string, unfolded = true): Promise<void> {
  const header = (await workbench()).locator(`.pane-header[aria-label^="${view}"]`);
  if ((await header.getAttribute('aria-expanded')) !== String(unfolded)) await header.click();
}

/**
 * Unfolds a row, or folds it, and waits until it is. A list that is drawn anew in the middle of a click takes none, or gives it to
 * another row.
 */
export async function unfoldRow(shown: Locator, unfolded = true): Promise<void> {
  const [one, twistie] = [shown.first(), shown.first().locator('.monaco-tl-twistie')];
  await until(`the row to be ${unfolded ? 'unfolded' : 'folded'}`, async (seen) => {
    const state = await one.getAttribute('aria-expanded', { timeout: tryMs }).catch(() => null);
    if (seen(state) === String(unfolded)) return true;
    if (state === null) return false;
    await twistie.click({ timeout: tryMs }).catch(() => undefined);
    const wanted = one.and(one.page().locator(`[aria-expanded="${unfolded}"]`));
    return wanted.waitFor({ timeout: tryMs }).then(
      () => true,
      () => false,
    );
  });
}

/**
 * Presses what stands on a row as long as the pointer is there. A row that is drawn anew below the pointer shows nothing until the
 * pointer moves.
 */
export async function pressOnRow(shown: Locator, label: string): Promise<void> {
  const action = shown.first().locator(`.action-label[aria-label^="${label}"]`);
  await shown.first().waitFor();
  await until(`${label} on the row to be pressed`, async () => {
    const limit = { timeout: tryMs };
    await shown.first().page().mouse.move(0, 0);
    return shown
      .first()
      .hover(limit)
      .then(() => action.click(limit))
      .then(
        () => true,
        () => false,
      );
  });
}

/**
 * Chooses from the context menu of a row. What opens meanwhile takes the focus, and with it the menu; a window that is new does not know
 * yet that its folder is trusted, and until then all that needs trust is grey. Then one opens the menu again.
 */
export async function menu(shown: Locator, title: string): Promise<void> {
  const page = shown.page();
  const item = page.locator('.monaco-menu .action-item', { hasText: title }).first();
  await shown.first().waitFor();
  await until(`${title} to be chosen`, async (seen) => {
    await shown
      .first()
      .click({ button: 'right', timeout: tryMs })
      .catch(() => undefined);
    const looks = await item.getAttribute('class', { timeout: tryMs }).catch(() => undefined);
    const isOffered = typeof looks === 'string' && !/\bdisabled\b/.test(looks);
    if (seen(isOffered) && (await isTaken(item))) return true;
    // Nothing was open, or what was is closed.
    await page.keyboard.press('Escape');
    return false;
  });
}

/** Clicks until the menu is gone, as one takes no click in its first moments. @returns whether a click did it */
async function isTaken(item: Locator): Promise<boolean> {
  for (let clicks = 0; clicks < 10; clicks++) {
    const isClicked = await item.click({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
    if (!isClicked) return false;
    const isGone = await item.waitFor({ state: 'detached', timeout: 500 }).then(
      () => true,
      () => false,
    );
    if (isGone) return true;
  }
  return false;
}
