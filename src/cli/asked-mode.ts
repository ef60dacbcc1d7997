/** `--real` and `--dry` of the commands that run something as a test. */
import type { Command } from 'commander';
import type { RunMode } from '../protocol/run-mode.ts';
import { UsageError } from './arguments.ts';

export interface ModeFlags {
  readonly real?: boolean;
  readonly dry?: boolean;
}

/**
 * Adds both options.
 * @param dry what the dry run is for, as the help says it
 * @param of what both are for, where the command takes other things, too
 */
export function withModes(command: Command, dry: string, of?: string): Command {
  const begin = of === undefined ? '' : `${of}: `;
  return command
    .option('--real', `${begin}requests of steps are sent, and data stores are written`)
    .option('--dry', `${begin}${dry}`);
}

/** @throws UsageError when both are given */
export function askedMode({ real, dry }: ModeFlags): RunMode | undefined {
  if (real === true && dry === true) throw new UsageError('Give --real or --dry, not both.');
  if (real === true) return 'real';
  return dry === true ? 'dry' : undefined;
}
