/**
 * A step in Python or Bash, as the component that its process loads: it runs the script as a child and does for it
 * what `$` does. The code is part of the component, so that what was deployed is what runs.
 */
import { runBash } from './bash.ts';
import { runPython } from './python.ts';
import type { Script, StepArguments } from './script.ts';

/** Makes the component of a script. */
export function scriptStep(script: Script): object {
  return {
    type: 'action',
    props: script.props,
    run(this: object, { steps, $ }: StepArguments): Promise<unknown> {
      return script.language === 'python'
        ? runPython(script, { ...this }, steps, $)
        : runBash(script, steps, $);
    },
  };
}
