import type { Workbench } from '../../scripts/editor/web.mts';
import { framesOf, rowShown, scroll, type Frames } from './in-page.mts';
import { openWindow, type Window } from './window.mts';

const many = 10_000;
const steps = 60;
const eventList = '.pane:has(.pane-header[aria-label^="Events"])';
const fileList = '.explorer-folders-view';

/** Both lists in one window, in turn. */
export interface Scrolling {
  readonly events: Frames[];
  /** VS Code's own tree of as many files. */
  readonly files: Frames[];
}

/** Scrolls ten thousand events while more come, and the Explorer with ten thousand files. */
export async function scrolling(
  workbench: Workbench,
  rounds: number,
  note: (line: string) => void,
): Promise<Scrolling> {
  const files = Array.from({ length: many }, (_, n) => [`many/file-${n}.txt`, ''] as const);
  const window = await openWindow(workbench, { ...Object.fromEntries(files), 'flood.mjs': flood });
  try {
    const endpoint = await fill(window);
    await unfold(window);
    const events: Frames[] = [];
    const explorer: Frames[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      note(`scrolling, round ${round} of ${rounds}`);
      await show(window, 'Weir', eventList, 'Event');
      const coming = setInterval(() => void fetch(endpoint, { method: 'POST' }), 200);
      events.push(framesOf(await scroll(window.page, steps)));
      clearInterval(coming);
      await show(window, 'Explorer', fileList, 'file-');
      explorer.push(framesOf(await scroll(window.page, steps)));
    }
    return { events, files: explorer };
  } finally {
    await window.close();
  }
}

/** Deploys a source that emits them all at once, and shows all of them. @returns its endpoint */
async function fill({ page, open, click, call }: Window): Promise<string> {
  await open('flood.mjs', 'Deploy');
  await click('Deploy');
  await rowShown(page, 'Sources', 'Flood', '/h/hi_');
  const [source] = await call<{ id: string; endpoint_url: string }[]>('GET', 'sources');
  if (source === undefined) throw new Error('Nothing is deployed.');
  await call('POST', `sources/${source.id}/invocations`, { event: { all: true } });
  await rowShown(page, 'Events', `Event number ${many}.`);
  const list = page.locator(`${eventList} .monaco-list`);
  await list.focus();
  const more = list.locator('.monaco-list-row', { hasText: 'Show more…' });
  const oldest = list.locator('.monaco-list-row', { hasText: 'Event number 1.' });
  while ((await oldest.count()) === 0) {
    await page.keyboard.press('End');
    if ((await more.count()) > 0) await page.keyboard.press('Enter');
    await page.waitForTimeout(100);
  }
  return source.endpoint_url;
}

/** Brings a list into sight, and the pointer onto it. */
async function show({ page }: Window, tab: string, list: string, row: string): Promise<void> {
  const item = page
    .locator('.activitybar .action-item')
    .filter({ has: page.locator(`[aria-label^="${tab}"]`) })
    .first();
  // A click on the one that is shown hides it.
  if (!((await item.getAttribute('class')) ?? '').includes('checked')) await item.click();
  await page.locator(`${list} .monaco-list-row`, { hasText: row }).first().waitFor();
  const box = await page.locator(`${list} .monaco-list`).first().boundingBox();
  if (box === null) throw new Error(`${tab} shows no list.`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

/** Unfolds the folder in the Explorer. */
async function unfold(window: Window): Promise<void> {
  await show(window, 'Explorer', fileList, 'many');
  await window.page.locator('.monaco-list-row', { hasText: 'many' }).first().click();
  await rowShown(window.page, '', 'file-1.txt');
}

const flood = `export default {
  name: 'Flood',
  type: 'source',
  props: { http: '$.interface.http' },
  run(event) {
    if (event.all === undefined) return this.$emit(1, { summary: 'One more' });
    for (let n = 1; n <= ${many}; n++) this.$emit({ n }, { summary: 'Event number ' + n + '.' });
  },
};
`;
