import { clickedAt, now, rowShown, submitShown } from './in-page.mts';
import { openWindow, type Window } from './window.mts';
import type { Workbench } from '../../scripts/editor/web.mts';

const postsPerRound = 5;
const activationShownMs = 20_000;

/** How long what a user does takes, in a fresh window on a fresh folder; all in ms. */
export interface Interactions extends Activation {
  readonly deployCold: number;
  readonly deployWarm: number;
  readonly postToRow: number[];
  readonly form: number;
}

const source = (name: string) => `export default {
  name: '${name}',
  type: 'source',
  props: { http: '$.interface.http' },
  run(event) {
    this.$emit(event.body, { summary: 'Order ' + event.body.id });
  },
};
`;

const asking = `export default {
  name: 'Asking',
  type: 'source',
  props: {
    http: '$.interface.http',
    greeting: { type: 'string', label: 'Greeting' },
    count: { type: 'integer', label: 'How many', min: 1, max: 10 },
    color: { type: 'string', label: 'Color', options: ['red', 'green', 'blue'] },
  },
  run() {},
};
`;

export async function interactions(workbench: Workbench): Promise<Interactions> {
  const window = await openWindow(workbench, {
    'first.mjs': source('First'),
    'second.mjs': source('Second'),
    'asking.mjs': asking,
  });
  try {
    const deployCold = await deploy(window, 'first.mjs', 'First');
    const deployWarm = await deploy(window, 'second.mjs', 'Second');
    const postToRow = await posts(window);
    await window.open('asking.mjs', 'Deploy');
    await window.click('Deploy');
    const form = (await submitShown(window.page)) - (await clickedAt(window.page));
    return { ...(await activation(window)), deployCold, deployWarm, postToRow, form };
  } finally {
    await window.close();
  }
}

/** From the click on the lens to the row that shows the endpoint. */
async function deploy(window: Window, file: string, name: string): Promise<number> {
  await window.open(file, 'Deploy');
  const shown = rowShown(window.page, 'Sources', name, '/h/hi_');
  await window.click('Deploy');
  return (await shown) - (await clickedAt(window.page));
}

/** From before a request is sent to the row of its event. */
async function posts({ page, call }: Window): Promise<number[]> {
  const [source] = await call<{ endpoint_url: string }[]>('GET', 'sources');
  if (source === undefined) throw new Error('Nothing is deployed.');
  const times: number[] = [];
  for (let id = 1; id <= postsPerRound; id += 1) {
    const shown = rowShown(page, 'Events', `Order ${id}`);
    const sent = now();
    await fetch(source.endpoint_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id }),
    });
    times.push((await shown) - sent);
  }
  return times;
}

interface Activation {
  readonly load: number;
  readonly activate: number;
}

/** What VS Code itself measured: loading the bundle, and the call of `activate()`. */
async function activation({ page }: Window): Promise<Activation> {
  const asked = now();
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill('>Developer: Startup Performance');
  await page.locator('.quick-input-list .monaco-list-row').first().click();
  const lines = page.locator('.editor-group-container.active .view-lines');
  await lines.filter({ hasText: 'System Info' }).click();
  for (;;) {
    // An editor draws what is in sight only; the clipboard gets all of it, once it is there.
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    const row = /\|\s*weir\.weir\s*\|\s*\w+\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|/.exec(text);
    if (row !== null) return { load: Number(row[1]), activate: Number(row[2]) };
    if (now() - asked > activationShownMs) throw new Error(`No activation times: ${text}`);
    await page.waitForTimeout(100);
  }
}
