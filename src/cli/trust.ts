/** Whether components of others may run: asked on a terminal, or given by options. */
import { questionsOf, withTrust } from '../client/with-trust.ts';
import type { TrustQuestion } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import { collect } from './arguments.ts';
import type { ConnectedTools } from './cli.ts';
import { createPrompt } from './prompt.ts';
import { trustText } from './views/registry.ts';
import type { Command } from 'commander';

export interface TrustFlags {
  readonly yes?: boolean;
  readonly trust?: readonly string[];
}

/** The options of a command that may bring components of others. */
export function trustOptions(command: Command): Command {
  return command
    .option('--trust <publisher>', 'allow components of this publisher; repeat for more', collect)
    .option('--yes', 'answer every question with yes, also about versions below the minimum age');
}

/**
 * The same tools, but their calls ask before they run components of others. Without a terminal the options decide;
 * otherwise the error says which option to give.
 * @param mayAsk false if a person has forbidden questions
 */
export function asking(tools: ConnectedTools, flags: TrustFlags, mayAsk = true): ConnectedTools {
  const prompt = createPrompt(tools.io, tools.interrupted);
  const call = withTrust(tools, async (questions, error) => {
    for (const question of questions) tools.out.note(trustText(question));
    if (flags.yes === true) return true;
    if (questions.every((one) => isTrusted(flags.trust ?? [], one))) return true;
    if (!mayAsk) return false;
    if (!prompt.possible) throw withOptions(error);
    const what = questions.length === 1 ? 'it' : `these ${questions.length}`;
    return prompt.confirm(`Allow ${what} to run with your rights? (y/N) `);
  });
  return { ...tools, call };
}

/** A publisher that is trusted is not trusted with a version that nobody has looked at yet. */
function isTrusted(publishers: readonly string[], question: TrustQuestion): boolean {
  return !question.is_too_new && publishers.includes(question.publisher);
}

function withOptions(error: WeirError): WeirError {
  const questions = questionsOf(error);
  const publishers = [...new Set(questions.map(({ publisher }) => publisher))];
  const isYoung = questions.some((one) => one.is_too_new);
  const trust = publishers.map((one) => `--trust ${one}`).join(' ');
  const how = isYoung ? 'give --yes' : `give ${trust}, or --yes`;
  return new WeirError(
    'trust_needed',
    `Nothing was run: ${questions.map(({ reference }) => reference).join(', ')} ${questions.length === 1 ? 'is' : 'are'} not allowed here yet, and there is nobody to ask. Read what stands above; to allow it, ${how}.`,
    error.details,
  );
}
