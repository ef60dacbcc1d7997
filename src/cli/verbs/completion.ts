import { Argument, type Command } from 'commander';
import { connect } from '../../client/connection.ts';
import { findRuntime } from '../../client/runtime-file.ts';
import type { Tools, Verb } from '../cli.ts';
import { type Candidate, candidatesFor, type Named } from '../completion/candidates.ts';
import { completionScripts, type Shell, shells } from '../completion/scripts.ts';

export const completion: Verb = (program, cli) => {
  program
    .command('completion')
    .description('Print the script that lets a shell complete commands, options and names')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(async (shell: Shell, _flags: object, command) => {
      await cli.run(command, ({ io }) => {
        io.stdout.write(completionScripts[shell]);
        return Promise.resolve();
      });
    });
  program
    .command('complete [words...]', { hidden: true })
    .description('Print what may stand at the end of a line, for the scripts of "completion"')
    .action(async (words: string[], _flags: object, command) => {
      await cli.run(command, async (tools) => {
        const lines = await linesFor(program, words, tools);
        if (lines.length > 0) tools.io.stdout.write(`${lines.join('\n')}\n`);
      });
    });
};

async function linesFor(program: Command, words: string[], tools: Tools): Promise<string[]> {
  const { fixed, named } = candidatesFor(program, words);
  const typed = words.at(-1) ?? '';
  const found = named.length === 0 ? [] : await namesOf(named, dataFolderIn(words, tools));
  const fitting = found.filter(({ value }) => value.startsWith(typed));
  return [...fixed, ...fitting].map(({ value, description }) => `${value}\t${description}`);
}

/** The line that is being typed may name another folder. */
function dataFolderIn(words: readonly string[], tools: Tools): string {
  const at = words.indexOf('--data');
  return (at === -1 ? undefined : words[at + 1]) ?? tools.dataFolder;
}

/** Pressing Tab must not wait for a runtime that hangs. */
const patienceMs = 2000;

/** None without a runtime: an error would only disturb the line that is being typed. */
async function namesOf(named: readonly Named[], dataFolder: string): Promise<Candidate[]> {
  const runtime = await findRuntime(dataFolder, patienceMs);
  if (runtime === undefined) return [];
  const connection = await connect(runtime);
  const { call } = connection;
  const page = { limit: 100 };
  const lists: Record<Named, () => Promise<Candidate[]>> = {
    sources: async () =>
      (await call('sources.list', page)).data.map(({ id, name_slug }) => ({
        value: name_slug,
        description: id,
      })),
    workflows: async () =>
      (await call('workflows.list', page)).data.map(({ id, name_slug }) => ({
        value: name_slug,
        description: id,
      })),
    executions: async () => {
      const { data } = await call('workflows.list', page);
      const newest = await Promise.all(
        data.map(async ({ id, name }) =>
          (await call('executions.list', { id, limit: 10 })).data.map((one) => ({
            value: one.id,
            description: `${name}, ${one.status}`,
          })),
        ),
      );
      return newest.flat();
    },
    webhooks: async () =>
      (await call('webhooks.list', page)).data.map(({ id, url }) => ({
        value: id,
        description: url,
      })),
    accounts: async () =>
      (await call('accounts.list', page)).data.map(({ id, name }) => ({
        value: id,
        description: name,
      })),
  };
  try {
    return (await Promise.all(named.map((kind) => lists[kind]()))).flat();
  } finally {
    connection.close();
  }
}
