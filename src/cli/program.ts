/** The command line as commander knows it: also what completion and docs/cli.md are made of. */
import { Command, Option } from 'commander';
import { printable } from './render/printable.ts';
import type { Cli, Verb } from './cli.ts';
import { examples } from './examples.ts';
import type { Io } from './io.ts';

/** @param io where help and errors about the command line go */
export function createProgram(
  verbs: readonly Verb[],
  cli: Cli,
  version: string,
  io: Pick<Io, 'stdout' | 'stderr'>,
): Command {
  const program = new Command('weir')
    .description('Event sources, actions and workflows on your own machine')
    .version(version)
    .option('--data <dir>', 'data folder (WEIR_DATA, else .weir here)')
    .option('--json', 'print JSON: one document, or one object a line for streams')
    .addOption(new Option('-p, --profile <name>', 'as pd has it').hideHelp())
    .hook('preAction', (root) => {
      if (root.opts<{ profile?: string }>().profile === undefined) return;
      const sentence = 'Weir has no profiles, so -p has no effect; --data chooses a data folder.';
      cli.tools(root).out.note(sentence);
    })
    .configureHelp({ showGlobalOptions: true })
    // Before the verbs: each command takes it over when it is made.
    .configureOutput({
      // They repeat what was given.
      writeOut: (text) => void io.stdout.write(printable(text)),
      writeErr: (text) => void io.stderr.write(printable(text)),
      // As all other errors of ours begin.
      outputError: (text, write) => write(text.replace(/^error: /, 'weir: ')),
    })
    .exitOverride();
  for (const verb of verbs) verb(program, cli);
  for (const command of leaves(program)) {
    const lines = examples[pathOf(command)] ?? [];
    if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${indented(lines)}`);
    // Subcommands inherit neither of them when they were made by a verb.
    command.configureHelp({ showGlobalOptions: true });
  }
  return program;
}

/** The commands that do something, in the order of the help. */
export function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

/** `webhooks create`, without the program's own name. */
export function pathOf(command: Command): string {
  const { parent } = command;
  if (parent === null) return '';
  return `${pathOf(parent)} ${command.name()}`.trimStart();
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  $ ${line}`).join('\n');
}
