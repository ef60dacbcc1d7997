/** The candidates for the end of a half-typed command line (pure). */
import type { Argument, Command, Option } from 'commander';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Things of the runtime, whose names only it knows. */
export type Named = 'sources' | 'workflows' | 'executions' | 'webhooks' | 'accounts';

export interface Candidates {
  readonly fixed: readonly Candidate[];
  /** With names of these. Without any of either the shell offers files. */
  readonly named: readonly Named[];
}

const nothing: Candidates = { fixed: [], named: [] };

/** @param words what follows the program's name; the last one is being typed, and may be empty */
export function candidatesFor(program: Command, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? '';
  const { command, args, pending } = walk(program, words.slice(0, -1));
  const candidates =
    pending !== undefined
      ? { fixed: choicesOf(pending), named: [] }
      : typed.startsWith('-')
        ? { fixed: optionsOf(command), named: [] }
        : positional(command, args);
  const fixed = candidates.fixed.filter(({ value }) => value.startsWith(typed));
  return { fixed, named: candidates.named };
}

interface CursorPlace {
  readonly command: Command;
  /** Number of arguments that are typed already. */
  readonly args: number;
  /** The option whose value comes next. */
  readonly pending: Option | undefined;
}

function walk(program: Command, words: readonly string[]): CursorPlace {
  let command = program;
  let args = 0;
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      pending = undefined;
    } else if (word.startsWith('-')) {
      const option = allOptions(command).find(({ long, short }) => word === long || word === short);
      pending = option?.required === true ? option : undefined;
    } else {
      const sub = command.commands.find((one) => one.name() === word);
      if (sub === undefined) args += 1;
      else command = sub;
    }
  }
  return { command, args, pending };
}

function positional(command: Command, args: number): Candidates {
  if (command.commands.length > 0) {
    if (args > 0) return nothing;
    const shown = command.createHelp().visibleCommands(command);
    const fixed = shown.map((one) => ({ value: one.name(), description: one.description() }));
    return { fixed, named: [] };
  }
  const declared = command.registeredArguments;
  const last = declared.at(-1);
  const argument = declared[args] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return nothing;
  return { fixed: choicesOf(argument), named: namedBy(argument.name(), command) };
}

function namedBy(name: string, command: Command): readonly Named[] {
  if (['emitter', 'source|workflow', 'source|workflow|run'].includes(name))
    return ['sources', 'workflows'];
  if (name === 'source') return ['sources'];
  if (name === 'workflow') return ['workflows'];
  if (name === 'execution') return ['executions'];
  if (name === 'workflow|execution') return ['workflows', 'executions'];
  if (name === 'source|workflow|execution') return ['sources', 'workflows', 'executions'];
  if (name === 'listener') return ['webhooks', 'sources', 'workflows'];
  if (name === 'webhook') return ['webhooks'];
  return name === 'id' && command.parent?.name() === 'accounts' ? ['accounts'] : [];
}

function choicesOf({ argChoices, description }: Argument | Option): Candidate[] {
  return (argChoices ?? []).map((value) => ({ value, description }));
}

function optionsOf(command: Command): Candidate[] {
  return allOptions(command).flatMap(({ long, short, description, hidden }) =>
    hidden ? [] : [{ value: long ?? short ?? '', description }],
  );
}

/** The options of a command and of its parent commands. */
function allOptions(command: Command): Option[] {
  const above = command.parent === null ? [] : allOptions(command.parent);
  return [...command.options, ...above];
}
