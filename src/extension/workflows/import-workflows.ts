import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { accountQuestions, accountSentence } from '../../protocol/account-questions.ts';
import type { Params, Result } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { confirm } from '../commands/confirm.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import { missingComponents, missingSentence } from '../../protocol/missing-components.ts';
import { reportError, withProgress } from '../notify.ts';
import { chooseImport } from './choose-import.ts';
import { markFindings } from './import-problems.ts';
import { timerProps } from '../../protocol/typed-schedule.ts';

type Report = Result<'imports.run'>;
const title = 'Import Workflows';

/** Brings workflows in, asks what their files do not say, and shows what is left to do. */
export const importWorkflows: Command = async (context) => {
  const folder = context.folders.all.find(({ root }) => root !== undefined);
  if (folder?.root === undefined) {
    throw new WeirError('not_found', 'Open a folder first: the workflows are written into it.');
  }
  const request = await chooseImport(title, folder.root);
  if (request === undefined) return;
  let report = await run(folder, request);
  const answered = await answerQuestions(folder, report);
  const fetched = await fetchComponents(context, folder, report);
  if (answered || fetched.changed || fetched.problems.length > 0) {
    const lookedUp = { looked_up: [...fetched.problems] };
    report = await run(folder, { ...request, replace: false, answered: true, ...lookedUp });
  }
  markFindings(report);
  await showReport(context, folder, report);
};

function run(folder: Folder, request: Params<'imports.run'>): Thenable<Report> {
  return withProgress('Importing workflows', async (options) => {
    const client = await folder.link.ready();
    return client.call('imports.run', request, options);
  });
}

interface Fetched {
  /** Whether any was fetched, or a workflow uses another version now. */
  readonly changed: boolean;
  readonly problems: Result<'components.add_all'>['problems'];
}

/**
 * Fetches the components that the workflows lack, after one question about all of them; takes the nearest version if
 * the exact one is missing.
 */
async function fetchComponents(
  { output }: CommandContext,
  folder: Folder,
  report: Report,
): Promise<Fetched> {
  const nothing: Fetched = { changed: false, problems: [] };
  const references = missingComponents(report);
  if (references.length === 0) return nothing;
  const client = await folder.link.ready();
  const { data: registries } = await client.call('registries.list', {});
  // Others are found without one.
  if (registries.length === 0 && !references.some((one) => one.includes(':'))) return nothing;
  try {
    const { added, problems } = await withProgress(missingSentence(references), (options) => {
      options.progress('Asking the registries');
      return client.call('components.add_all', { references }, options);
    });
    for (const { reference, message } of problems) output.warn(`${reference}: ${message}`);
    const left = await takeNearest(folder, report, problems);
    return { changed: added.length > 0 || left !== problems, problems: left };
  } catch (error) {
    // Components that were not fetched are in the report.
    if (!(WeirError.is(error, 'trust_needed') || WeirError.is(error, 'cancelled'))) throw error;
    reportError(error, output);
    return nothing;
  }
}

/** @returns the problems that are left: the same ones unless versions were taken */
async function takeNearest(
  folder: Folder,
  report: Report,
  problems: Fetched['problems'],
): Promise<Fetched['problems']> {
  const nearest = new Map(
    problems.flatMap(({ reference, nearest: near }) => (near === null ? [] : [[reference, near]])),
  );
  if (nearest.size === 0) return problems;
  const asked = `No registry has the version that ${nearest.size === 1 ? 'a step names' : `steps name of ${nearest.size} components`}.`;
  const detail = [...nearest].map(([wanted, near]) => `${wanted} → ${near}`).join('\n');
  if (!(await confirm(asked, detail, 'Take the Nearest'))) return problems;
  const client = await folder.link.ready();
  for (const { folder: place, findings } of report.workflows) {
    const used = findings.flatMap(({ question }) => {
      const near = question?.kind === 'component' && nearest.get(question.reference);
      return question?.kind === 'component' && typeof near === 'string'
        ? [[question.reference, near] as const]
        : [];
    });
    if (place === null || used.length === 0) continue;
    const versions = Object.fromEntries(used);
    await client.call('imports.take_versions', { workflow_path: place, versions });
  }
  const references = [...new Set(nearest.values())];
  const again = await withProgress('Fetching the nearest versions', (options) =>
    client.call('components.add_all', { references }, options),
  );
  return [...problems.filter(({ reference }) => !nearest.has(reference)), ...again.problems];
}

/** @returns whether anything was answered; Escape leaves the rest for later */
async function answerQuestions(folder: Folder, report: Report): Promise<boolean> {
  const client = await folder.link.ready();
  const accounts = await chooseAccounts(folder, report);
  let changed = accounts.changed;
  if (accounts.escaped) return changed;
  for (const { name, folder: place, findings } of report.workflows) {
    if (place === null) continue;
    for (const { question, message } of findings) {
      if (question?.kind !== 'timer' && question?.kind !== 'emitter') continue;
      const { kind, trigger } = question;
      const answered = await askTrigger(name, message, kind, (props) =>
        client.call('imports.answer', { workflow_path: place, trigger, props }),
      );
      if (answered === 'escaped') return changed;
      changed ||= answered === 'answered';
    }
    const secrets = findings.filter(({ question }) => question?.kind === 'secret').length;
    if (secrets === 0) continue;
    const asked = `${name} has ${secrets === 1 ? 'a secret' : `${secrets} secrets`} in clear in workflow.yaml.`;
    const detail =
      'Moved, the value is sealed in the environment, and an expression takes its place.';
    if (!(await confirm(asked, detail, 'Move'))) continue;
    await client.call('imports.move_secrets', { workflow_path: place });
    changed = true;
  }
  return changed;
}

/** Each account of the platform once, for all workflows that name it, where there is one to choose. */
async function chooseAccounts(
  folder: Folder,
  report: Report,
): Promise<{ readonly changed: boolean; readonly escaped: boolean }> {
  const client = await folder.link.ready();
  let changed = false;
  for (const question of accountQuestions(report)) {
    const { id, app, workflows } = question;
    const ofApp = { ...(app !== null && { app }), limit: 100 };
    const { data } = await client.call('accounts.list', ofApp);
    if (data.length === 0) continue;
    const accounts = data.map((account) => ({
      label: account.name,
      description: `${account.app.name} · ${account.id}`,
      account: account.id,
    }));
    const later = { label: 'Later', description: 'The report says what is missing', account: null };
    const chosen = await vscode.window.showQuickPick([...accounts, later], {
      title,
      placeHolder: accountSentence(question),
      ignoreFocusOut: true,
    });
    if (chosen === undefined) return { changed, escaped: true };
    if (chosen.account === null) continue;
    for (const { folder: place } of workflows) {
      const bound = { workflow_path: place, accounts: { [id]: chosen.account } };
      await client.call('imports.bind_accounts', bound);
    }
    changed = true;
  }
  return { changed, escaped: false };
}

async function askTrigger(
  name: string,
  message: string,
  kind: 'timer' | 'emitter',
  give: (props: Record<string, unknown>) => Promise<unknown>,
): Promise<'answered' | 'skipped' | 'escaped'> {
  const hint =
    kind === 'timer'
      ? 'Seconds (900), or cron with a time zone (0 9 * * 1-5 Europe/Berlin).'
      : 'Id or name of a source, or id of a workflow.';
  let wrong = '';
  for (;;) {
    const typed = await vscode.window.showInputBox({
      title: `${title}: ${name}`,
      prompt: `${wrong === '' ? message : wrong} ${hint} Empty leaves it for later.`,
      ignoreFocusOut: true,
    });
    if (typed === undefined) return 'escaped';
    if (typed.trim() === '') return 'skipped';
    try {
      await give(kind === 'timer' ? timerProps(typed.trim()) : { emitter: typed.trim() });
      return 'answered';
    } catch (error) {
      wrong = messageOf(error);
    }
  }
}

async function showReport(
  { output }: CommandContext,
  { dataFolder }: Folder,
  { markdown }: Report,
): Promise<void> {
  const file = vscode.Uri.file(path.join(dataFolder, 'import-report.md'));
  await writeFile(file.fsPath, markdown);
  output.info(`The report of the import is ${file.fsPath}.`);
  try {
    await vscode.commands.executeCommand('markdown.showPreview', file);
  } catch {
    // An editor without a preview of Markdown.
    await vscode.window.showTextDocument(file);
  }
}
