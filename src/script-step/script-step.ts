/**
 * A step in Python or Bash, as the component that its process loads: it runs the script as a child and does for it
 * what `$` does. The code is part of the component, so that what was deployed is what runs.
 */
import { runBash } from './bash.ts';
import { runPython } from './python.ts';

export interface Script {
  readonly language: 'python' | 'bash';
  /** Absolute path of the file, for messages and for what it imports from its folder. */
  readonly file: string;
  readonly code: string;
  /** The interpreter. */
  readonly program: string;
  /** Props that the step declares itself (`__configurableProps`). */
  readonly props: Readonly<Record<string, unknown>>;
}

/** What a step's `run` gets, as far as a script uses it. */
export interface StepArguments {
  readonly steps: Readonly<Record<string, unknown>>;
  readonly $: StepDollar;
}

export interface StepDollar {
  export(name: string, value: unknown): void;
  respond(response: unknown): Promise<void>;
  readonly context: unknown;
  readonly flow: Readonly<Record<string, (...given: unknown[]) => unknown>>;
  readonly send: Readonly<Record<string, (config: unknown) => void>>;
}

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
