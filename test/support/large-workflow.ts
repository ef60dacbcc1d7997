/** The text of a workflow with so many steps, every seventh in a branch of a block, each with a comment. */
export function largeWorkflow(steps: number): string {
  const lines = [
    'schema: workflow/2022.04',
    'name: Large',
    'triggers:',
    '- uses: $.interface.http',
    'steps:',
  ];
  for (let number = 1; number <= steps; number += 1) {
    const isInBranch = number % 7 === 0;
    if (isInBranch) {
      lines.push(
        `- namespace: block_${number}`,
        '  control: ifelse',
        '  branches:',
        '  - name: large',
        "    when: '{{steps.trigger.event.body.amount > 100}}'",
        '    steps:',
      );
    }
    const depth = isInBranch ? '    ' : '';
    lines.push(
      `${depth}# about step_${number}`,
      `${depth}- namespace: step_${number}`,
      `${depth}  uses: slack-send-message@0.1.2`,
      `${depth}  props:`,
      `${depth}    text: 'Number ${number}: {{steps.trigger.event.body.text}}'`,
    );
  }
  return `${lines.join('\n')}\n`;
}
