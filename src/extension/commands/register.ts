import * as vscode from 'vscode';
import { reportError } from '../notify.ts';
import type { Command, CommandContext } from './context.ts';
import type { CommandId } from './ids.ts';

/** Registers all of them at once, so that none is ever "not found". */
export function registerCommands(
  table: Readonly<Record<CommandId, Command>>,
  context: CommandContext,
): vscode.Disposable {
  const commands = Object.entries(table).map(([id, command]) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        await command(context, ...args);
      } catch (error) {
        reportError(error, context.output);
      }
    }),
  );
  return vscode.Disposable.from(...commands);
}
