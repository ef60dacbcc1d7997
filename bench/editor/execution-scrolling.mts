import type { Frame } from 'playwright-core';
import type { Workbench } from '../../scripts/editor/web.mts';
import { framesOf, rowShown, type Frames } from './in-page.mts';
import { openWindow, type Window } from './window.mts';

/** Items of the Each: each is a step run. */
export const items = 1000;
const wheelTurns = 60;

/** Of rounds of turning the wheel over the timeline of an execution. */
export interface ExecutionScrolling {
  /** It has ended. */
  readonly ended: Frames[];
  /** It runs: about a hundred step runs end each second. */
  readonly running: Frames[];
}

/** Scrolls the page of an execution of a thousand step runs. */
export async function executionScrolling(
  workbench: Workbench,
  rounds: number,
  note: (line: string) => void,
): Promise<ExecutionScrolling> {
  const window = await openWindow(workbench, files);
  try {
    await window.open('workflow.yaml', 'Deploy');
    await window.click('Deploy');
    await rowShown(window.page, 'Workflows', 'Many');
    const [workflow] = await window.call<{ id: string }[]>('GET', 'workflows');
    if (workflow === undefined) throw new Error('Nothing is deployed.');
    const begin = (event: object, wait: boolean) =>
      window.call('POST', `workflows/${workflow.id}/executions`, { event, wait });
    await begin({ ms: 0 }, true);
    const ended: Frames[] = [];
    const running: Frames[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      note(`scrolling an execution, round ${round} of ${rounds}`);
      await closeAll(window);
      ended.push(framesOf(await scrollPage(window, await show(window, 1000))));
      await closeAll(window);
      await begin({ ms: 8 }, false);
      running.push(framesOf(await scrollPage(window, await show(window, 100))));
      // The next round begins with one that has ended.
      await begin({ ms: 0 }, true);
    }
    return { ended, running };
  } finally {
    await window.close();
  }
}

/** Shows the newest execution. @returns its page, once it has so many rows to scroll */
async function show({ page }: Window, rows: number): Promise<Frame> {
  const pane = page.locator('.pane', {
    has: page.locator('.pane-header[aria-label^="Workflows"]'),
  });
  const workflow = pane.locator('.monaco-list-row', { hasText: 'Many' }).first();
  if ((await workflow.getAttribute('aria-expanded')) === 'false') {
    await workflow.locator('.monaco-tl-twistie').click();
  }
  await pane
    .locator('.monaco-list-row', { hasText: /^\s*Run by hand/ })
    .first()
    .click();
  const late = Date.now() + 120_000;
  while (Date.now() < late) {
    for (const frame of page.frames()) {
      const height: unknown = await frame.evaluate(heightOfRows).catch(() => 0);
      if (typeof height === 'number' && height >= rows * rowHeight) return frame;
    }
    await page.waitForTimeout(50);
  }
  throw new Error('The page of the execution never came.');
}

const rowHeight = 24;
const heightOfRows =
  "document.querySelector('.timeline [role=tree]')?.getBoundingClientRect().height ?? 0";

/** Turns the wheel over the timeline. @returns how long each frame of the page took, in ms */
async function scrollPage({ page }: Window, frame: Frame): Promise<number[]> {
  const box = await frame.locator('.timeline .rows').boundingBox();
  if (box === null) throw new Error('The page shows no timeline.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await frame.evaluate('window.watchFrames()');
  for (let turn = 0; turn < wheelTurns; turn += 1) {
    await page.mouse.wheel(0, turn % 20 < 14 ? 2000 : -2000);
    await page.waitForTimeout(30);
  }
  return frame.evaluate('window.endFrames()');
}

/** A page that is hidden draws no frames. */
async function closeAll({ page }: Window): Promise<void> {
  await page.locator('.statusbar').click();
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill('>View: Close All Editors');
  await page.locator('.quick-input-list .monaco-list-row').first().click();
  await page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
}

const files = {
  'workflow.yaml': `schema: workflow/2022.04
name: Many
settings: { lambda_timeout: 600 }
steps:
  - namespace: all
    control: each
    on: '{{Array.from({ length: ${items} }, (_, n) => n)}}'
    steps:
      - { namespace: check, uses: ./check/entry.mjs }
`,
  'check/entry.mjs': `export default defineComponent({
  async run({ steps, $ }) {
    const { ms } = steps.trigger.event;
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    $.export('$summary', 'checked');
    return { ok: true };
  },
});
`,
};
