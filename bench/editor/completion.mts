import { basename } from 'node:path';
import type { Workbench } from '../../scripts/editor/web.mts';
import { largeWorkflow } from '../../test/support/large-workflow.ts';
import { rowShown } from './in-page.mts';
import { openWindow } from './window.mts';

/** Steps of the file. */
export const steps = 153;
const asksPerRound = 10;

const source = `export default {
  name: 'First',
  type: 'source',
  props: { http: '$.interface.http' },
  run() {},
};
`;

/** VS Code's own list of keys, of a format that it knows by its JSON extension. */
const jsonFile = '.vscode/extensions.json';
/** VS Code's own list of the words of a file, of which no extension is asked. */
const wordsFile = 'words.txt';

/** In one window; all in ms. */
export interface CompletionTimes {
  /** The first time, the bundle not yet loaded. */
  readonly cold: number;
  /** From the key that asks to a key of the format in the list. */
  readonly keys: number[];
  /** The same, to a step in an expression. */
  readonly expressions: number[];
  /** The peers: to a key of a JSON file, and to a word of a text. */
  readonly json: number[];
  readonly words: number[];
}

/** Asks for completions at the end of a workflow of many steps. */
export async function completionTimes(
  workbench: Workbench,
  rounds: number,
  note: (line: string) => void,
): Promise<CompletionTimes> {
  const window = await openWindow(workbench, {
    'many/workflow.yaml': `${largeWorkflow(steps).trimEnd()}\n`,
    [jsonFile]: '{\n  ',
    [wordsFile]: 'alphabetical order\n',
    // It starts the runtime, which ends with the window.
    'first.mjs': source,
  });
  const { page } = window;
  const asked = async (text: string): Promise<number> => {
    const shown = page.evaluate<number>(`window.suggested(${JSON.stringify(text)})`);
    await page.keyboard.press('Control+Space');
    const ms = await shown;
    await page.keyboard.press('Escape');
    await page.locator('.suggest-widget.visible').waitFor({ state: 'detached' });
    return ms;
  };
  const times = {
    keys: [] as number[],
    expressions: [] as number[],
    json: [] as number[],
    words: [] as number[],
  };
  /** Asks at the end of a file that VS Code itself knows. */
  const askedIn = async (file: string, text: string): Promise<number[]> => {
    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget input').fill(file);
    await page.locator('.quick-input-list .monaco-list-row').first().click();
    await page.locator('.tab.active', { hasText: basename(file) }).waitFor();
    await toTheEnd();
    // The first one loads what it needs.
    await asked(text);
    const all: number[] = [];
    for (let ask = 0; ask < rounds * asksPerRound; ask += 1) all.push(await asked(text));
    return all;
  };
  const toTheEnd = async (): Promise<void> => {
    await page.locator('.editor-group-container.active .view-lines').first().click();
    await page.keyboard.press('Control+End');
  };
  try {
    await window.open('first.mjs', 'Deploy');
    const shown = rowShown(page, 'Sources', 'First', '/h/hi_');
    await window.click('Deploy');
    await shown;
    await window.open('workflow.yaml', 'Open in Builder');
    await toTheEnd();
    const cold = await asked('settings');
    for (let round = 1; round <= rounds; round += 1) {
      note(`completion, round ${round} of ${rounds}`);
      for (let ask = 0; ask < asksPerRound; ask += 1) times.keys.push(await asked('settings'));
    }
    await page.keyboard.type("inactive: '{{steps.");
    for (let round = 1; round <= rounds; round += 1) {
      for (let ask = 0; ask < asksPerRound; ask += 1) {
        times.expressions.push(await asked('trigger'));
      }
    }
    note('completion, what VS Code knows itself');
    times.json.push(...(await askedIn(jsonFile, 'recommendations')));
    times.words.push(...(await askedIn(wordsFile, 'alphabetical')));
    return { cold, ...times };
  } finally {
    await window.close();
  }
}
