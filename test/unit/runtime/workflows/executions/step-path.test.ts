import { describe, expect, it } from 'vitest';
import type { StepDefinition } from '../../../../../src/protocol/workflow.ts';
import { pathOfStep, stepAt } from '../../../../../src/runtime/workflows/executions/step-path.ts';
import { readWorkflow } from '../../../../../src/runtime/workflows/file/read.ts';

const code = { uses: './x/entry.mjs' };
const steps: readonly StepDefinition[] =
  readWorkflow(
    JSON.stringify({
      schema: 'workflow/2022.04',
      name: 'Paths',
      steps: [
        { namespace: 'one', ...code },
        {
          namespace: 'choose',
          control: 'ifelse',
          branches: [
            { name: 'yes', when: true, steps: [{ namespace: 'same', ...code }] },
            { name: 'no', when: true, steps: [{ namespace: 'same', ...code }] },
          ],
          else: { steps: [{ namespace: 'other', ...code }] },
        },
        {
          namespace: 'loop',
          control: 'each',
          on: '{{[]}}',
          steps: [{ namespace: 'item', ...code }],
        },
      ],
    }),
  ).definition?.steps ?? [];

describe('the path of a step that a person names', () => {
  it.each([
    ['one', 'one'],
    ['choose', 'choose'],
    ['choose.no.same', 'choose.no.same'],
    ['other', 'choose.$else.other'],
    ['loop[12].item', 'loop[12].item'],
  ])('%s is %s', (text, path) => {
    expect(pathOfStep(steps, text)).toBe(path);
  });

  it.each([
    ['same', /Several steps are called same: give the path, choose\.yes\.same, choose\.no\.same/],
    ['item', /inside of a loop.*loop\[0\]\.item/],
    ['two', /no step "two"; there are one, choose, /],
    ['loop.item', /no step "loop\.item"/],
    ['', /no step ""/],
  ])('%s is none', (text, sentence) => {
    expect(() => pathOfStep(steps, text)).toThrow(sentence);
  });

  it('leads to the step, whichever item ran', () => {
    expect(stepAt(steps, 'loop[7].item')?.namespace).toBe('item');
    expect(stepAt(steps, 'loop')?.kind).toBe('block');
    expect(stepAt(steps, 'nowhere')).toBeUndefined();
  });
});
