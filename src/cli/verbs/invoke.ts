import type { Result } from '../../protocol/catalogue.ts';
import type { ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { readEvent } from '../event-argument.ts';
import { eventText, logText } from '../views/events.ts';
import { executionText, wentWell } from '../views/workflows.ts';

export const invoke: Verb = (program, cli) => {
  program
    .command('invoke <source|workflow>')
    .description('Run a source or workflow now, wait for its end and print what it did')
    .option('--event <json|@file|->', 'what it gets: JSON, a file, or - for stdin')
    .action(async (name: string, flags: { event?: string }, command) => {
      await cli.connected(command, async (tools) => {
        const { type, id } = await tools.call('emitters.find', { id: name });
        const event =
          flags.event === undefined ? {} : { event: await readEvent(tools.io, flags.event) };
        return type === 'workflow'
          ? await invokeWorkflow(tools, { id, ...event })
          : await invokeSource(tools, { id, ...event });
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

async function invokeWorkflow({ call, out, width }: ConnectedTools, what: What): Promise<ExitCode> {
  const execution = await call('executions.start', { ...what, wait: true });
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
