/** docs/cli.md, from the program as commander knows it. */
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { createCli } from '../../src/cli/cli.ts';
import { examples } from '../../src/cli/examples.ts';
import { createProgram, leaves, pathOf } from '../../src/cli/program.ts';
import { verbs } from '../../src/cli/verbs.ts';
import { tableOf } from './schema-text.mts';

export function cliText(): string {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const io = { stdin, stdout, stderr, env: {}, cwd: '/' };
  const program = createProgram(verbs, createCli(io, new AbortController().signal), '', io);
  const shown = leaves(program).filter((command) => isShown(command));
  const global = program.options
    .filter(({ hidden }) => !hidden)
    .map((one) => [`\`${one.flags}\``, one.description]);
  return [head, tableOf(['option', ''], global), ...shown.map(commandText)].join('\n');
}

const head = `<!-- Written by scripts/docs.mts from the program; change src/cli, not this. -->

# Command line

\`weir <command> --help\` says the same with examples. A source or workflow is named by its id or its name slug. Answers go to stdout, as tables or, with \`--json\`, as one document. Tables are cut to the terminal, but not in ids and URLs; a stream has one JSON object on each line. Everything else goes to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage or a wrong value.

In a terminal, \`deploy\`, \`dev\` and \`run\` ask for props that need a value, and check each answer at once. You choose options from a list that typing narrows down, also options that
the component lists itself. Fields that depend on a choice come after it.
Elsewhere they name the props and exit with 2.

\`serve\` and \`dev\` run a runtime; the other commands talk to the one of the data folder, whoever started it.
\`weir completion bash\` (or zsh, fish) prints the script that lets the shell complete commands, options and names.

Spellings of \`pd\` work as well: \`list so\` and \`list st\`, \`update --code\` and \`update --active true|false\`. There are no profiles:
\`-p\` is accepted and has no effect.

Options of every command:
`;

function commandText(command: Command): string {
  const path = pathOf(command);
  const help = command.createHelp();
  const args = command.registeredArguments
    .filter(({ description, argChoices }) => description !== '' || argChoices !== undefined)
    .map((one) => [`\`${one.name()}\``, describe(one.description, one.argChoices)]);
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((one) => [`\`${one.flags}\``, describe(one.description, one.argChoices)]);
  const lines = (examples[path] ?? []).join('\n');
  return `## \`${path}\`

${command.description()}.

\`\`\`sh
${help.commandUsage(command)}
\`\`\`

${tableOf(['option', ''], [...args, ...options])}
${lines === '' ? '' : `\`\`\`sh\n${lines}\n\`\`\`\n`}`;
}

function describe(description: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? description : `${description}: ${choices.join(', ')}`;
}

function isShown(command: Command): boolean {
  const { parent } = command;
  return parent?.createHelp().visibleCommands(parent).includes(command) === true;
}
