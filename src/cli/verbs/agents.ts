import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { agentCallsIn, agentsLogFile } from '../../protocol/agents.ts';
import type {
  AgentCall,
  AgentOffer,
  AgentRules,
  OfferedAction,
  Params,
  Result,
} from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { accountsByApp, collect, positiveInteger } from '../arguments.ts';
import type { Cli, ConnectedTools, Tools, Verb } from '../cli.ts';
import { withRuntime } from '../runtime-for-this.ts';
import { oneLine } from '../render/printable.ts';
import { type Column, table } from '../render/table.ts';
import { fields } from '../views/fields.ts';

interface OfferFlags {
  readonly account?: readonly string[];
  readonly live?: readonly string[];
}

interface RulesFlags {
  readonly tools?: string;
  readonly accounts?: string;
  readonly perMinute?: number;
}

export const agents: Verb = (program, cli) => {
  const group = program
    .command('agents')
    .description(
      'What agents that use weir mcp or /mcp are offered and allowed, and what they did',
    );
  group
    .command('offer <app|key|file...>')
    .description(
      'Offer actions to agents as tools, each a dry run unless it is named with --live; a folder has all actions in it',
    )
    .option('--account <app=apn>', 'account that the actions use for an app', collect)
    .option(
      '--live <action>',
      'run this action for real; calls of other actions are dry runs',
      collect,
    )
    .action(async (named: string[], flags: OfferFlags, command) => {
      await connected(cli, command, async (tools) => await offer(tools, named, flags));
    });
  group
    .command('withdraw <app|key|file...>')
    .description('Stop offering actions to agents')
    .action(async (named: string[], _flags: object, command) => {
      await connected(cli, command, async ({ call, io, out }) => {
        for (const name of named) await call('agent_offers.delete', { what: whatOf(name, io.cwd) });
        out.answer({ withdrawn: named }, () => `Withdrew ${named.join(', ')}.`);
      });
    });
  group
    .command('list')
    .description('List the actions that agents are offered, and which of them run for real')
    .action(async (_flags: object, command) => {
      await connected(cli, command, async (tools) => {
        const { data } = await tools.call('agent_offers.list', {});
        show(tools, data, await tools.call('agent_offers.describe', { offers: data }));
      });
    });
  group
    .command('rules')
    .description('Show what agents are allowed, over every transport, or change it')
    .option('--tools <names>', 'allow only these tools, separated by commas; "all" allows all')
    .option('--accounts <ids>', 'allow only these accounts, separated by commas; "all" allows all')
    .option('--per-minute <count>', 'maximum number of calls in a minute', positiveInteger)
    .action(async (flags: RulesFlags, command) => {
      await connected(cli, command, async ({ call, out }) => {
        const changes = changesOf(flags);
        const rules =
          Object.keys(changes).length === 0
            ? await call('agent_rules.get', {})
            : await call('agent_rules.set', changes);
        out.answer(rules, () => rulesText(rules));
      });
    });
  group
    .command('log')
    .description('Show the calls of agents and their results, oldest first')
    .option('-n <count>', 'maximum number of rows', positiveInteger, 20)
    .action(async (flags: { readonly n: number }, command) => {
      await cli.run(command, async (tools) => await showLog(tools, flags.n));
    });
};

/** Describes the offers before an agent has connected, so no runtime has to run. */
async function connected(
  cli: Cli,
  command: Command,
  work: (tools: ConnectedTools) => Promise<void>,
): Promise<void> {
  await withRuntime(cli.tools(command).dataFolder, () => cli.connected(command, work));
}

async function offer(
  tools: ConnectedTools,
  named: readonly string[],
  { account = [], live = [] }: OfferFlags,
): Promise<void> {
  const { call, io } = tools;
  const accounts = Object.fromEntries(accountsByApp(account));
  const asked = named.map((name) => ({ what: whatOf(name, io.cwd), accounts, live: [...live] }));
  // Looked at before anything is kept: a slip of the keyboard offers nothing.
  const described = await call('agent_offers.describe', { offers: asked });
  const { data: actions, problems } = described;
  const empty = asked.find(({ what }) => actions.every((action) => action.what !== what));
  if (empty !== undefined || live.some((name) => actions.every((action) => action.name !== name))) {
    const sentence = `${empty?.what} has no action that the others do not have: leave it out.`;
    throw new WeirError('bad_input', problems.join('\n') || sentence);
  }
  const offers = asked.map((one) => ({
    ...one,
    live: actions.flatMap(({ what, live: isLive, name }) =>
      what === one.what && isLive ? [name] : [],
    ),
  }));
  for (const one of offers) await call('agent_offers.put', one);
  show(tools, offers, described);
}

function show(
  { io, out, width }: ConnectedTools,
  offers: readonly AgentOffer[],
  { data: actions, problems }: Result<'agent_offers.describe'>,
): void {
  for (const problem of problems) io.stderr.write(`${problem}\n`);
  out.answer({ offers, actions, problems }, () =>
    actions.length === 0
      ? 'Agents are offered no actions; "weir agents offer" does that.'
      : table(actionColumns, actions, width),
  );
}

const actionColumns: readonly Column<OfferedAction>[] = [
  { title: 'TOOL', of: ({ name }) => name },
  { title: 'RUNS', of: ({ live }) => (live ? 'for real' : 'dry') },
  { title: 'FROM', of: ({ from }) => from, shrinks: true },
];

/** A path is kept whole: agents come from anywhere. */
function whatOf(named: string, cwd: string): string {
  const path = resolve(cwd, named);
  return existsSync(path) || /[\\/]/.test(named) ? path : named;
}

function changesOf({ tools, accounts, perMinute }: RulesFlags): Params<'agent_rules.set'> {
  return {
    ...(tools !== undefined && { tools: listOf(tools) }),
    ...(accounts !== undefined && { accounts: listOf(accounts) }),
    ...(perMinute !== undefined && { per_minute: perMinute }),
  };
}

function listOf(text: string): string[] | null {
  if (text === 'all') return null;
  return text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}

function rulesText({ tools, accounts, per_minute }: AgentRules): string {
  const shown = (list: readonly string[] | null): string =>
    list === null ? 'all' : list.join(', ') || 'none';
  return fields({
    tools: shown(tools),
    accounts: shown(accounts),
    'calls per minute': per_minute,
  });
}

/** Needs no runtime: the log is a file. */
async function showLog({ dataFolder, out }: Tools, count: number): Promise<void> {
  const text = await readFile(join(dataFolder, agentsLogFile), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  const calls = agentCallsIn(text).slice(-count);
  out.answer(calls, () =>
    calls.length === 0 ? 'No agent has asked for anything.' : calls.map(callText).join('\n'),
  );
}

function callText(call: AgentCall): string {
  const { at, agent, key, tool, outcome, ms, arguments: given, message, uri } = call;
  const why = message ?? uri ?? '';
  const who = key === undefined ? agent : `${agent} (key ${key})`;
  const said = `${at} ${who} ${tool} ${JSON.stringify(given)} ${outcome} (${ms} ms) ${why}`;
  return oneLine(said);
}
