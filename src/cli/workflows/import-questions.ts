/** The questions of an import, on a terminal. */
import { messageOf } from '../../protocol/errors.ts';
import { accountQuestions, accountSentence } from '../../protocol/account-questions.ts';
import type { Result } from '../../protocol/catalogue.ts';
import { timerProps } from '../../protocol/typed-schedule.ts';
import type { ConnectedTools } from '../cli.ts';
import { createPrompt, type Prompt } from '../prompt.ts';

type Workflow = Result<'imports.run'>['workflows'][number];
type Finding = Workflow['findings'][number];

/**
 * Asks for each schedule and each emitter that a file does not name, for the account that takes the place of each of
 * the platform's, once for all workflows that name it, and whether secrets are moved. An empty answer
 * leaves it for later.
 * @returns whether anything was changed
 */
export async function answerQuestions(
  tools: ConnectedTools,
  report: Result<'imports.run'>,
  asksForSecrets: boolean,
): Promise<boolean> {
  const prompt = createPrompt(tools.io, tools.interrupted);
  let changed = await askForAccounts(tools, prompt, report);
  for (const { name, folder, findings } of report.workflows) {
    if (folder === null) continue;
    for (const finding of findings) {
      if (await answerOne(tools, prompt, folder, name, finding)) changed = true;
    }
    const secrets = findings.filter(({ question }) => question?.kind === 'secret');
    if (!asksForSecrets || secrets.length === 0) continue;
    const asked = `${name}: move ${secrets.length} of its secrets into weir env? (y/N) `;
    if (!/^y(?:es)?$/i.test((await prompt.ask(asked)).trim())) continue;
    const { names } = await tools.call('imports.move_secrets', { workflow_path: folder });
    tools.out.note(`Moved: ${names.join(', ')}.`);
    changed = true;
  }
  return changed;
}

/** Asks nothing if there is nothing to choose: the report says how to connect an account. */
async function askForAccounts(
  tools: ConnectedTools,
  prompt: Prompt,
  report: Result<'imports.run'>,
): Promise<boolean> {
  let changed = false;
  for (const question of accountQuestions(report)) {
    const { id, app, workflows } = question;
    const ofApp = { ...(app !== null && { app }), limit: 100 };
    const { data: accounts } = await tools.call('accounts.list', ofApp);
    if (accounts.length === 0) continue;
    tools.out.note(accountSentence(question));
    for (const [index, account] of accounts.entries()) {
      tools.out.note(`  ${index + 1}  ${account.name} (${account.app.name}, ${account.id})`);
    }
    const chosen = await askUntilKnown(tools, prompt, accounts);
    if (chosen === undefined) continue;
    for (const { folder } of workflows) {
      const bound = { workflow_path: folder, accounts: { [id]: chosen } };
      await tools.call('imports.bind_accounts', bound);
    }
    changed = true;
  }
  return changed;
}

async function askUntilKnown(
  tools: ConnectedTools,
  prompt: Prompt,
  accounts: Result<'accounts.list'>['data'],
): Promise<string | undefined> {
  for (;;) {
    const typed = (await prompt.ask('Its number, name or id; empty leaves it for later: ')).trim();
    if (typed === '') return undefined;
    const found =
      accounts[Number(typed) - 1] ??
      accounts.find(({ id, name }) => id === typed || name === typed);
    if (found !== undefined) return found.id;
    tools.out.note(`There is no account ${typed} here.`);
  }
}

async function answerOne(
  tools: ConnectedTools,
  prompt: Prompt,
  folder: string,
  name: string,
  { question, message }: Finding,
): Promise<boolean> {
  if (question?.kind !== 'timer' && question?.kind !== 'emitter') return false;
  tools.out.note(`${name}: ${message}`);
  const hint =
    question.kind === 'timer'
      ? 'When? Seconds (900), or cron with a time zone (0 9 * * 1-5 Europe/Berlin): '
      : 'Which? Id or name of a source, or id of a workflow: ';
  for (;;) {
    const typed = (await prompt.ask(hint)).trim();
    if (typed === '') return false;
    const props = question.kind === 'timer' ? timerProps(typed) : { emitter: typed };
    try {
      const { trigger } = question;
      await tools.call('imports.answer', { workflow_path: folder, trigger, props });
      return true;
    } catch (error) {
      tools.out.note(messageOf(error));
    }
  }
}
