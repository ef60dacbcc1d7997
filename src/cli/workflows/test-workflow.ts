/** `weir run <folder>`: the files of a workflow as they are, as a test or dry run whose steps are shown as they end. */
import { needsChoice, whatWentOut } from '../../client/what-went-out.ts';
import { type RunMode, runMode } from '../../protocol/run-mode.ts';
import { askedMode } from '../asked-mode.ts';
import { createPrompt, type Prompt } from '../prompt.ts';
import { createReconnectingClient, type ReconnectingClient } from '../../client/reconnecting.ts';
import type { Params, WholeExecution } from '../../protocol/catalogue.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode } from '../cli.ts';
import { readEvent } from '../event-argument.ts';
import { stepText, testText, wentWell } from '../views/executions.ts';
import { warningText } from '../views/workflows.ts';

export interface TestFlags {
  readonly real?: boolean;
  readonly dry?: boolean;
  readonly event?: string;
  readonly step?: string;
  readonly execution?: string;
  readonly pin?: readonly string[];
  /** False with `--no-pins`. */
  readonly pins: boolean;
}

/** @param path absolute, of its folder or `workflow.yaml` */
export async function testWorkflow(
  tools: ConnectedTools,
  path: string,
  { event, step, execution, pin, pins, ...flags }: TestFlags,
): Promise<ExitCode> {
  const { io, out, dataFolder, interrupted } = tools;
  const prompt = createPrompt(io, interrupted);
  const mode = runMode({ kind: 'test', hasPerson: prompt.possible, asked: askedMode(flags) });
  const client = createReconnectingClient({ dataFolder });
  try {
    // Before it begins: no change of it is missed.
    await client.connected(interrupted);
    const given = {
      workflow_path: path,
      ...(event !== undefined && { event: await readEvent(io, event) }),
      ...(step !== undefined && { step }),
      ...(execution !== undefined && { execution }),
      ...(pin !== undefined && { pins: chosenPins(pin) }),
      ...(!pins && { default_pins: false }),
    };
    const first = await runOnce(tools, client, { ...given, mode });
    const ended = needsChoice(first)
      ? await runOnce(tools, client, {
          ...given,
          mode: await chosenMode(prompt, first),
          remember: true,
        })
      : first;
    out.answer(ended, () => testText(ended));
    return wentWell(ended) ? 0 : 1;
  } finally {
    client.close();
  }
}

async function runOnce(
  { call, out, interrupted }: ConnectedTools,
  client: ReconnectingClient,
  given: Params<'executions.test'>,
): Promise<WholeExecution> {
  const begun = await call('executions.test', given);
  for (const warning of begun.warnings) out.note(warningText(warning));
  return watched(client, begun, interrupted, (one) => out.live(() => stepText(one)));
}

/** Asks the person who is about to send something for the first time; the answer is remembered for the workflow. */
async function chosenMode(prompt: Prompt, held: WholeExecution): Promise<RunMode> {
  const isReal = await prompt.confirm(
    `${whatWentOut(held)}\nSend it for real? No keeps this workflow to dry runs; --real and --dry say otherwise for one run. (y/N) `,
  );
  return isReal ? 'real' : 'dry';
}

function chosenPins(pins: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pins.map((text) => {
      const [step = '', name = ''] = text.split('=', 2);
      if (step !== '' && name !== '') return [step, name];
      throw new UsageError(`--pin ${text}: give a step and the name of a pin, as in total=large.`);
    }),
  );
}

type Step = WholeExecution['steps'][number];

/** Shows each step once, when it has ended. Ctrl-C cancels the execution. */
async function watched(
  client: ReconnectingClient,
  { id, created_at: createdAt }: WholeExecution,
  interrupted: AbortSignal,
  show: (step: Step) => void,
): Promise<WholeExecution> {
  let wake: () => void = () => undefined;
  let isStale = true;
  const changed = (): void => {
    isStale = true;
    wake();
  };
  const stops = [
    client.onChanges((batch) => {
      const isAbout = batch.some(
        (change) => change.type === 'execution' && change.execution.id === id,
      );
      if (isAbout) changed();
    }),
    client.onState(changed),
  ];
  const cancel = (): void => {
    // Asked again it ends with the process of the step that runs.
    void client
      .call('executions.cancel', { id })
      .then(() => client.call('executions.cancel', { id }))
      .catch(() => undefined);
  };
  interrupted.addEventListener('abort', cancel, { once: true });
  const shown = new Set<string>();
  try {
    for (;;) {
      if (!isStale || client.state.is !== 'connected') {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      isStale = false;
      const whole = await client.call('executions.get', { id });
      for (const step of whole.steps) {
        // Steps copied from another execution ended before this one began.
        const isOwn = step.pinned !== null || (step.started_at ?? 0) >= createdAt;
        const key = `${step.path} ${step.run} ${step.attempt}`;
        if (step.status === 'running' || !isOwn || shown.has(key)) continue;
        shown.add(key);
        show(step);
      }
      if (whole.ended_at !== null) return whole;
    }
  } finally {
    interrupted.removeEventListener('abort', cancel);
    for (const stop of stops) stop();
  }
}
