/** Tests and dry runs of the files of a workflow: which of the two, and the question before the first that sends more than GET. */
import * as vscode from 'vscode';
import { needsChoice, whatWentOut } from '../../client/what-went-out.ts';
import type { Params, WholeExecution } from '../../protocol/catalogue.ts';
import { type RunMode, runMode } from '../../protocol/run-mode.ts';
import type { CommandContext } from '../commands/context.ts';
import { withProgress } from '../notify.ts';

type Memory = Pick<vscode.Memento, 'get' | 'update'>;

const keyOf = (file: string): string => `weir.testMode:${file}`;

/** The choice that was made for the tests of a file; undefined until the first. */
export function chosenMode(memory: Memory, file: string): RunMode | undefined {
  const chosen = memory.get<string>(keyOf(file));
  return chosen === 'real' || chosen === 'dry' ? chosen : undefined;
}

export async function chooseMode(memory: Memory, file: string, mode: RunMode): Promise<void> {
  await memory.update(keyOf(file), mode);
}

export interface WantedTest {
  /** Absolute path of `workflow.yaml`. */
  readonly file: string;
  /** Shown while it runs. */
  readonly title: string;
  readonly params: Pick<Params<'executions.test'>, 'event' | 'execution' | 'step'>;
  /** Shows the test, which has begun: again once it runs for real, or dry. */
  readonly begun: (test: WholeExecution) => Promise<void> | void;
}

/**
 * Runs the files as they are, and says at the end what went out. Before a workflow sends anything but GET and HEAD for the
 * first time, the user is asked for a test or a dry run.
 */
export async function runTest(context: CommandContext, wanted: WantedTest): Promise<void> {
  const { memory } = context;
  const { file } = wanted;
  const asked = chosenMode(memory, file);
  const mode = runMode({ kind: 'test', hasPerson: true, asked });
  const first = await runOnce(context, wanted, {
    mode,
    ...(asked !== undefined && { remember: true }),
  });
  const ran = first.outgoing?.mode;
  // Another window or a terminal has chosen.
  if (ran === 'real' || ran === 'dry') await chooseMode(memory, file, ran);
  if (!needsChoice(first)) return say(context, first);
  const chosen = await askMode(first);
  if (chosen === undefined) return;
  await chooseMode(memory, file, chosen);
  say(context, await runOnce(context, wanted, { mode: chosen, remember: true }));
}

/** @returns undefined when the user cancelled */
async function askMode(held: WholeExecution): Promise<RunMode | undefined> {
  const question = 'Test for real, or as a dry run?';
  const real = 'Test';
  const dry = 'Dry Run';
  const detail = `${whatWentOut(held)}\n\nA test sends what the steps send. A dry run sends nothing. The choice is remembered for this workflow; the switch beside Test changes it.`;
  const chosen = await vscode.window.showWarningMessage(
    question,
    { modal: true, detail },
    real,
    dry,
  );
  return chosen === real ? 'real' : chosen === dry ? 'dry' : undefined;
}

/** Resolves at its end. */
async function runOnce(
  context: CommandContext,
  { file, title, params, begun }: WantedTest,
  how: Pick<Params<'executions.test'>, 'mode' | 'remember'>,
): Promise<WholeExecution> {
  const folder = context.folders.of(file);
  const client = await folder.link.ready();
  return withProgress(title, async (options) => {
    const started = await context.workflows.problems.during(file, () =>
      client.call('executions.test', { workflow_path: file, ...params, ...how }, options),
    );
    context.workflows.tested.set(file, started.workflow_id);
    await begun(started);
    try {
      return await client.call('executions.get', { id: started.id, wait: true }, options);
    } catch (error) {
      if (options.signal.aborted) await client.call('executions.cancel', { id: started.id });
      throw error;
    }
  });
}

function say({ output }: CommandContext, ended: WholeExecution): void {
  const text = whatWentOut(ended);
  if (text === '') return;
  output.info(`${ended.id}: ${text}`);
  const [first = ''] = text.split('\n');
  vscode.window.setStatusBarMessage(`$(beaker) ${first}`, 8000);
}
