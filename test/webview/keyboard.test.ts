import { describe, expect, test } from 'vitest';
import { builderStates } from './states/builder.ts';
import { formStates, passing } from './states/form.ts';
import { inspectorStates } from './states/inspector.ts';
import { workflowStates } from './states/workflow.ts';
import { walk } from './support/keyboard.ts';
import { useBrowser } from './support/page.ts';

/** Every control of every state is reached with Tab alone, and shows that it is. */
useBrowser();

describe.each([
  ['form', formStates],
  ['inspector', inspectorStates],
  ['builder', builderStates],
  ['workflow', workflowStates],
] as const)('the %s', (_, states) => {
  const lasting = Object.entries(states).filter(([state]) => !passing.includes(state));
  test.each(lasting)('%s', async (_state, show) => {
    const { page } = await show();
    expect(await walk(page)).toEqual({ missed: [], unseen: [] });
  });
});
