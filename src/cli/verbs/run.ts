import { codeOrigin, collect, readJsonObject, UsageError, workflowPath } from '../arguments.ts';
import { withModes } from '../asked-mode.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { completeProps, type PropFlags } from '../props/complete.ts';
import { actionRunText } from '../views/action-runs.ts';
import { testWorkflow, type TestFlags } from '../workflows/test-workflow.ts';

interface RunFlags extends PropFlags, TestFlags {
  readonly steps?: string;
}

/** Options that only one of the two kinds accepts. */
const ofActions = ['account', 'prop', 'props', 'steps'] as const;
const ofWorkflows = ['event', 'step', 'execution', 'pin', 'real', 'dry'] as const;

export const run: Verb = (program, cli) => {
  const command = program
    .command('run <file|folder|key>')
    .description(
      'Run an action once, for real, or the files of a workflow as a test, and print what it exported, returned and logged. A test emits, delivers and schedules nothing; in a dry run, which it is without a terminal, nothing leaves at all',
    )
    .option('--account <prop=apn>', 'action: connected account for an app prop', collect)
    .option('--prop <k=v>', 'action: value of a prop; repeat for more props or a list', collect)
    .option('--props <file.json>', 'action: values of props as one JSON object')
    .option(
      '--steps <file.json>',
      'action: exports of earlier steps as a JSON object, by step name',
    )
    .option('--event <json|@file|->', 'workflow: event to run with: JSON, @file, or - for stdin')
    .option('--step <step>', 'workflow: run only this step, with the results of the last execution')
    .option('--execution <exec>', 'workflow: use the trigger and results of this execution')
    .option('--pin <step=name>', 'workflow: use this pin instead of running the step', collect)
    .option('--no-pins', 'workflow: use no pins except those of --pin');
  withModes(
    command,
    'nothing leaves; requests are answered from --execution, data stores are copies',
    'workflow',
  ).action(async (argument: string, flags: RunFlags, command) => {
    await cli.connected(command, async (tools) => {
      const path = workflowPath(argument, tools.io.cwd);
      const foreign = path === undefined ? ofWorkflows : ofActions;
      const wrong = foreign.find((name) => flags[name] !== undefined);
      if (wrong !== undefined || (path === undefined && !flags.pins)) {
        const [of, is] =
          path === undefined
            ? ['workflows', 'no folder with a workflow.yaml']
            : ['actions', 'a workflow'];
        throw new UsageError(`--${wrong ?? 'no-pins'} is for ${of}, and ${argument} is ${is}.`);
      }
      return path === undefined
        ? await runAction(tools, argument, flags)
        : await testWorkflow(tools, path, flags);
    });
  });
};

async function runAction(
  tools: ConnectedTools,
  argument: string,
  flags: RunFlags,
): Promise<ExitCode> {
  const { call, io, out } = tools;
  const origin = codeOrigin(argument, io.cwd);
  const steps =
    flags.steps === undefined
      ? {}
      : { steps: await readJsonObject(flags.steps, io.cwd, 'exports by step name') };
  const configured = await completeProps(tools, origin, flags, 'action');
  const ran = await call('actions.run', { ...origin, configured_props: configured, ...steps });
  out.answer(ran, () => actionRunText(ran));
  return ran.error === undefined ? 0 : 1;
}
