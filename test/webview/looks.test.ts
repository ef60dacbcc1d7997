import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { builderStates } from './states/builder.ts';
import { executionStates } from './states/execution.ts';
import { formStates } from './states/form.ts';
import { inspectorStates } from './states/inspector.ts';
import { workflowStates } from './states/workflow.ts';
import { allThemes, useBrowser } from './support/page.ts';

/** Every state of every page in every theme: nothing axe-core objects to, and a picture to judge. */
useBrowser();
/** Four themes of a page with many elements, on a machine that is busy. */
const patienceMs = 120_000;
const pictures = path.resolve('test-results', 'screenshots');

describe.each([
  ['form', formStates],
  ['inspector', inspectorStates],
  ['builder', builderStates],
  ['execution', executionStates],
  ['workflow', workflowStates],
] as const)('the %s', (name, states) => {
  test.each(Object.entries(states))('%s', { timeout: patienceMs }, async (state, show) => {
    const { page, changeTheme, violations } = await show();
    for (const theme of allThemes) {
      await changeTheme(theme);
      expect({ theme, violations: await violations() }).toEqual({ theme, violations: [] });
      await picture(page, `${name}-${theme}-${state}`);
    }
  });
});

async function picture(page: Page, name: string): Promise<void> {
  await mkdir(pictures, { recursive: true });
  // As high as what is on it: what sticks to the bottom stands there.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 800, height });
  const file = `${name.replaceAll(/\W+/g, '-')}.png`;
  await page.screenshot({ path: path.join(pictures, file) });
}
