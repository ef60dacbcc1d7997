import { expect, test } from 'vitest';
import { readWorkflow } from '../../../../../src/runtime/workflows/file/read.ts';

function warnings(text: string): string[] {
  return readWorkflow(`schema: workflow/2022.04\nname: A\nsteps:\n${text}`).diagnostics.map(
    ({ severity, line, message }) => `${severity} ${line} ${message}`,
  );
}

test('a step that is not there, or runs later, is told where it is read', () => {
  expect(
    warnings(`  - namespace: total
    uses: ./total/entry.ts
    props: { a: '{{steps.later.x}}', b: '{{event.body + steps.trigger.event}}' }
  - namespace: later
    uses: ./later/entry.ts
    props: { a: '{{steps.totl.$return_value}}', b: '{{steps.total.x}} {{steps.gone?.x}}' }
`),
  ).toEqual([
    'warning 6 "steps.later" is undefined here: that step runs later, or in another branch.',
    'warning 9 There is no step "totl" before this one: do you mean "total"?',
  ]);
});

test('branches see what is above them and not each other; behind the block nobody sees into it', () => {
  expect(
    warnings(`  - namespace: size
    control: ifelse
    branches:
      - name: big
        when: '{{event.n > 3}}'
        steps:
          - { namespace: one, uses: ./one/entry.ts }
          - { namespace: two, uses: ./two/entry.ts, props: { a: '{{steps.one.x}}' } }
      - name: small
        when: '{{steps.size.x}}'
        steps:
          - { namespace: three, uses: ./three/entry.ts, props: { a: '{{steps.one.x}}' } }
  - { namespace: four, uses: ./four/entry.ts, props: { a: '{{steps.two.x}}', b: '{{steps.size.$return_value}}' } }
`),
  ).toEqual([
    'warning 13 "steps.size" is undefined here: that step runs later, or in another branch.',
    'warning 15 "steps.one" is undefined here: that step runs later, or in another branch.',
    'warning 16 "steps.two" is undefined here: that step runs later, or in another branch.',
  ]);
});
