import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentCall, agentsLogFile } from '../../protocol/agents.ts';
import { positiveInteger } from '../arguments.ts';
import type { Tools, Verb } from '../cli.ts';
import { oneLine } from '../render/printable.ts';

export const agents: Verb = (program, cli) => {
  const group = program.command('agents').description('Agents that used weir mcp or /mcp');
  group
    .command('log')
    .description('Show what agents asked for and what came of it, oldest first')
    .option('-n <count>', 'how many', positiveInteger, 20)
    .action(async (flags: { readonly n: number }, command) => {
      await cli.run(command, async (tools) => await show(tools, flags.n));
    });
};

/** Needs no runtime: the log is a file. */
async function show({ dataFolder, out }: Tools, count: number): Promise<void> {
  const text = await readFile(join(dataFolder, agentsLogFile), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').filter((line) => line !== '');
  const calls = lines.slice(-count).flatMap(parsed);
  out.answer(calls, () =>
    calls.length === 0 ? 'No agent has asked for anything.' : calls.map(callText).join('\n'),
  );
}

/** A crash may have cut off a line. */
function parsed(line: string): AgentCall[] {
  try {
    return [JSON.parse(line) as AgentCall];
  } catch {
    return [];
  }
}

function callText(call: AgentCall): string {
  const { at, agent, key, tool, outcome, ms, arguments: given, message, uri } = call;
  const why = message ?? uri ?? '';
  const who = key === undefined ? agent : `${agent} (key ${key})`;
  const said = `${at} ${who} ${tool} ${JSON.stringify(given)} ${outcome} (${ms} ms) ${why}`;
  return oneLine(said);
}
