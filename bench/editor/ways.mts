import { clickedAt, now, rowShown, submitShown } from './in-page.mts';
import { openWindow, type Window } from './window.mts';
import type { Workbench } from '../../scripts/editor/web.mts';

const postsPerRound = 5;

/** One round in a fresh window on a fresh folder; all in ms. */
export interface Ways {
  readonly activate: number;
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

export async function ways(workbench: Workbench): Promise<Ways> {
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
    return { activate: await activation(window), deployCold, deployWarm, postToRow, form };
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

/** What VS Code itself measured: loading the bundle, and `activate()`. */
async function activation({ page }: Window): Promise<number> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill('>Developer: Show Running Extensions');
  await page.locator('.quick-input-list .monaco-list-row').first().click();
  const row = page
    .locator('.runtime-extensions-editor .monaco-list-row')
    .filter({ has: page.locator('.name', { hasText: /^Weir$/ }) });
  const text = await row.locator('.activation-time').innerText();
  const ms = /(\d+)\s*ms/.exec(text)?.[1];
  if (ms === undefined) throw new Error(`VS Code shows no activation time: ${text}`);
  return Number(ms);
}
