import type { Result } from '../../protocol/catalogue.ts';
import { UsageError } from '../arguments.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { readEvent, readMessage } from '../event-argument.ts';
import { eventText, logText } from '../views/events.ts';
import { executionText, wentWell } from '../views/executions.ts';

interface InvokeFlags {
  readonly event?: string;
  readonly email?: string;
  readonly fromStep?: string;
  readonly execution?: string;
}

export const invoke: Verb = (program, cli) => {
  program
    .command('invoke <source|workflow>')
    .description('Run a source or workflow now, wait for it to end, and print the result')
    .option('--event <json|@file|->', 'event to run with: JSON, @file, or - for stdin')
    .option('--email <file|->', 'workflow: message for its e-mail trigger: a file, or - for stdin')
    .option(
      '--from-step <step>',
      'workflow: start at this step, with the results of the last execution before it',
    )
    .option('--execution <exec>', 'with --from-step: use the results of this execution')
    .action(async (name: string, flags: InvokeFlags, command) => {
      if (flags.event !== undefined && flags.email !== undefined) {
        throw new UsageError('Give --event or --email, not both.');
      }
      await cli.connected(command, async (tools) => {
        const { type, id } = await tools.call('emitters.find', { id: name });
        const event =
          flags.event === undefined ? {} : { event: await readEvent(tools.io, flags.event) };
        if (type === 'workflow') return await invokeWorkflow(tools, { id, ...event }, flags);
        const wrong = (['email', 'fromStep', 'execution'] as const).find(
          (one) => flags[one] !== undefined,
        );
        if (wrong === undefined) return await invokeSource(tools, { id, ...event });
        const option = wrong === 'fromStep' ? 'from-step' : wrong;
        throw new UsageError(`--${option} is for workflows, and ${name} is a source.`);
      });
    });
};

interface What {
  readonly id: string;
  readonly event?: unknown;
}

async function invokeSource({ call, out }: ConnectedTools, what: What): Promise<ExitCode> {
  const invocation = await call('sources.invoke', what);
  out.answer(invocation, () => invocationText(invocation));
  return invocation.status === 'succeeded' ? 0 : 1;
}

async function invokeWorkflow(
  { call, io, out, width }: ConnectedTools,
  what: What,
  { email, fromStep, execution: of }: InvokeFlags,
): Promise<ExitCode> {
  const execution = await call('executions.start', {
    ...what,
    ...(email !== undefined && { email: await readMessage(io, email) }),
    ...(fromStep !== undefined && { from_step: fromStep }),
    ...(of !== undefined && { execution: of }),
    wait: true,
  });
  out.answer(execution, () => executionText(execution, width));
  return wentWell(execution) ? 0 : 1;
}

function invocationText(invocation: Result<'sources.invoke'>): string {
  const { status, error, emitted, logs } = invocation;
  const why =
    error === null
      ? ''
      : `: ${error.configuration ? error.message : (error.stack ?? error.message)}`;
  return [...logs.map(logText), ...emitted.map(eventText), `${status}${why}`].join('\n');
}
