import { basename, dirname } from 'node:path';
import type { Frame } from 'playwright-core';
import type { Workbench } from '../../scripts/editor/web.mts';
import { largeWorkflow } from '../../test/support/large-workflow.ts';
import { clickedAt, framesOf, now, rowShown, scroll, type Frames } from './in-page.mts';
import { openWindow, type Window } from './window.mts';

const few = 30;
const many = 153;
const editsPerRound = 10;
const lens = 'Open in Builder';

const source = `export default {
  name: 'First',
  type: 'source',
  props: { http: '$.interface.http' },
  run() {},
};
`;

/** In one window; all in ms. */
export interface BuilderTimes {
  /** From the click that opens it to 30 steps, the bundle not yet loaded. */
  readonly cold: number;
  /** The same, later ones. */
  readonly open: number[];
  /** From a key that moves a step to the page being told of the new text. */
  readonly move: number[];
  /** From a typed character to the same. */
  readonly type: number[];
  /** Of 153 steps. */
  readonly large: { readonly open: number[]; readonly move: number[]; readonly frames: Frames[] };
}

/** Opens, edits and scrolls workflows in the builder. */
export async function builderTimes(
  workbench: Workbench,
  rounds: number,
  note: (line: string) => void,
): Promise<BuilderTimes> {
  const window = await openWindow(workbench, {
    'few/workflow.yaml': largeWorkflow(few),
    'many/workflow.yaml': largeWorkflow(many),
    // It starts the runtime, which ends with the window.
    'first.mjs': source,
  });
  const times = {
    open: [] as number[],
    move: [] as number[],
    type: [] as number[],
    large: { open: [] as number[], move: [] as number[], frames: [] as Frames[] },
  };
  try {
    await window.open('first.mjs', 'Deploy');
    const shown = rowShown(window.page, 'Sources', 'First', '/h/hi_');
    await window.click('Deploy');
    await shown;
    const [cold] = await opened(window, 'few/workflow.yaml', few);
    await closed(window);
    for (let round = 1; round <= rounds; round += 1) {
      note(`builder, round ${round} of ${rounds}`);
      const [ms, frame] = await opened(window, 'few/workflow.yaml', few);
      times.open.push(ms);
      times.move.push(...(await moves(window, frame)));
      times.type.push(...(await typing(window, frame)));
      await closed(window);
      const [largeMs, largeFrame] = await opened(window, 'many/workflow.yaml', many);
      times.large.open.push(largeMs);
      times.large.move.push(...(await moves(window, largeFrame)));
      const box = await window.page.locator('iframe.webview.ready').last().boundingBox();
      if (box === null) throw new Error('The builder has no place.');
      await window.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      times.large.frames.push(framesOf(await scroll(window.page, 40, largeFrame)));
      await closed(window);
    }
    return { cold, ...times };
  } finally {
    await window.close();
  }
}

/**
 * From the click on the lens, else on the row of the file: VS Code opens again with the builder what it was closed in.
 * @returns how long it took, and the page
 */
async function opened(window: Window, file: string, steps: number): Promise<[number, Frame]> {
  const { page } = window;
  await page.keyboard.press('Control+P');
  await page.locator('.quick-input-widget input').fill(file);
  const row = page
    .locator('.quick-input-list .monaco-list-row', { hasText: basename(file) })
    .filter({ hasText: dirname(file) });
  await row.first().click();
  const link = page.locator('.codelens-decoration a', { hasText: lens }).first();
  const frame = page.locator('iframe.webview.ready').first();
  await link.or(frame).first().waitFor();
  if (await link.isVisible()) await link.click();
  const late = now() + 60_000;
  while (now() < late) {
    for (const frame of window.page.frames()) {
      const at: unknown = await frame.evaluate(cardsAt(steps)).catch(() => undefined);
      if (typeof at === 'number') return [at - (await clickedAt(window.page)), frame];
    }
    await window.page.waitForTimeout(2);
  }
  throw new Error('The builder never came.');
}

/** When the last of the cards was there, seen in the page. */
const cardsAt = (steps: number): string =>
  `document.querySelector('main.builder') && window.cardsShown && window.cardsShown(${steps})`;

async function closed({ page }: Window): Promise<void> {
  await command(page, 'File: Save All Files');
  // VS Code asks about what is not yet saved, and waits.
  await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
  await command(page, 'View: Close All Editors');
  await page.locator('.editor-group-container.active .tab').first().waitFor({ state: 'detached' });
}

async function command(page: Window['page'], title: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill(`>${title}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

/** Moves the first step down and up again. */
async function moves({ page }: Window, frame: Frame): Promise<number[]> {
  const times: number[] = [];
  for (let edit = 0; edit < editsPerRound; edit += 1) {
    const isDown = edit % 2 === 0;
    await frame.locator(`#card-steps-${isDown ? 0 : 1}`).focus();
    times.push(await told(frame, () => page.keyboard.press(`Alt+Arrow${isDown ? 'Down' : 'Up'}`)));
  }
  return times;
}

/** Types into the name of the workflow, one character at a time. */
async function typing({ page }: Window, frame: Frame): Promise<number[]> {
  await frame.locator('header button', { hasText: 'Settings' }).click();
  await frame.getByLabel('Name', { exact: true }).press('End');
  const times: number[] = [];
  for (let edit = 0; edit < editsPerRound; edit += 1) {
    times.push(await told(frame, () => page.keyboard.press(edit % 2 === 0 ? 'x' : 'Backspace')));
    // As somebody types who thinks: what is typed faster goes in together, 200 ms later at most.
    await page.waitForTimeout(300);
  }
  return times;
}

/** From the key to the next message with a new text. */
async function told(frame: Frame, act: () => Promise<void>): Promise<number> {
  const next = frame.evaluate<number>('window.nextModel()');
  await act();
  return next;
}
