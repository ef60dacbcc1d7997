import type { ActionRun } from '../../protocol/catalogue.ts';
import { codeOrigin, collect, readJsonObject } from '../arguments.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { completeProps, type PropFlags } from '../props/complete.ts';
import { logText } from '../views/events.ts';

interface RunFlags extends PropFlags {
  readonly steps?: string;
}

export const run: Verb = (program, cli) => {
  program
    .command('run <file|key>')
    .description('Run an action once and print what it exported, returned and logged')
    .option('--account <prop=apn>', 'connected account for an app prop', collect)
    .option('--prop <k=v>', 'value of a prop; repeat it for more props or a list', collect)
    .option('--props <file.json>', 'values of props as one JSON object')
    .option('--steps <file.json>', 'exports of earlier steps as one JSON object, by step name')
    .action(async (argument: string, flags: RunFlags, command) => {
      await cli.connected(command, async (tools) => await runAction(tools, argument, flags));
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
  out.answer(ran, () => actionText(ran));
  return ran.error === undefined ? 0 : 1;
}

/** Log lines, exports, the return value, then the summary or the error as the last line. */
function actionText({ logs, exports, return_value, summary, error }: ActionRun): string {
  const named = Object.entries(exports).filter(([name]) => name !== '$summary');
  const returned: typeof named = return_value === null ? [] : [['$return_value', return_value]];
  return [
    ...logs.map(logText),
    ...[...named, ...returned].map(([name, value]) => `${name}: ${JSON.stringify(value, null, 2)}`),
    error === undefined ? `succeeded${summary === null ? '' : `: ${summary}`}` : failure(error),
  ].join('\n');
}

function failure(error: NonNullable<ActionRun['error']>): string {
  const { message, stack, configuration } = error;
  return `failed: ${configuration === true ? message : (stack ?? message)}`;
}
