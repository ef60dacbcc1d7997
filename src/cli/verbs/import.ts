import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Params, Result } from '../../protocol/catalogue.ts';
import { writeNamed } from '../../protocol/write-inside.ts';
import { collect, UsageError } from '../arguments.ts';
import type { Cli, ConnectedTools, ExitCode, Verb } from '../cli.ts';
import { withRuntime } from '../runtime-for-this.ts';
import { createPrompt } from '../prompt.ts';
import { importText } from '../views/imports.ts';
import { fetchComponents } from '../workflows/fetch-components.ts';
import { answerQuestions } from '../workflows/import-questions.ts';

interface ImportFlags {
  readonly to?: string;
  readonly branch?: string;
  readonly fromApi?: boolean;
  readonly apiUrl?: string;
  readonly apiKey?: string;
  readonly org?: string;
  readonly workflow?: readonly string[];
  readonly replace?: boolean;
  readonly moveSecrets?: boolean;
  readonly yes?: boolean;
  readonly report?: string;
  readonly trust?: readonly string[];
  readonly nearest?: boolean;
}

export const importWorkflows: Verb = (program, cli) => {
  program
    .command('import [folder|zip|git-url]')
    .description('Import workflows of Pipedream, and say what is left to do for each')
    .option(
      '--to <folder>',
      'folder for the workflows; by default beside the data folder, while a folder is used where it is',
    )
    .option('--branch <name>', 'branch of the repository')
    .option('--from-api', 'import over the REST API')
    .option('--api-url <url>', 'base address of the API, such as https://api.pipedream.com/v1')
    .option('--api-key <key>', 'key of the API; by default PIPEDREAM_API_KEY, otherwise Weir asks')
    .option('--org <o_…>', 'workspace of the API key')
    .option('--workflow <p_…>', 'import this workflow over the API; repeat for more', collect)
    .option('--replace', 'overwrite existing files that differ')
    .option('--move-secrets', 'move plain-text tokens in workflow.yaml into weir env')
    .option(
      '--trust <publisher>',
      'fetch missing components of this publisher without asking; repeat for more',
      collect,
    )
    .option(
      '--nearest',
      'if no registry has a version of a component, take the nearest one and write it into uses',
    )
    .option('--yes', 'ask nothing; the report lists what needs an answer')
    .option('--report <file.md>', 'also write the report into this file')
    .action(async (source: string | undefined, flags: ImportFlags, command) => {
      await run(cli, command, source, flags);
    });
};

async function run(
  cli: Cli,
  command: Parameters<Cli['tools']>[0],
  source: string | undefined,
  flags: ImportFlags,
): Promise<void> {
  const { dataFolder, io, interrupted } = cli.tools(command);
  const prompt = createPrompt(io, interrupted);
  const mayAsk = prompt.possible && flags.yes !== true;
  const from = await placeOf(source, flags, io.cwd, async () => {
    const key = flags.apiKey ?? io.env['PIPEDREAM_API_KEY'] ?? '';
    if (key !== '') return key;
    if (mayAsk) return prompt.ask('Key of the API: ', true);
    throw new UsageError('The API needs a key: give --api-key, or set PIPEDREAM_API_KEY.');
  });
  await withRuntime(dataFolder, () =>
    cli.connected(command, async (tools) => {
      const to = flags.to === undefined ? {} : { to: resolve(io.cwd, flags.to) };
      const request = { ...from, ...to, replace: flags.replace === true };
      let report = await tools.call('imports.run', request);
      const answered = await answer(tools, report, flags.moveSecrets === true, mayAsk);
      const trust = flags.trust ?? [];
      const nearest = flags.nearest === true;
      const { changed, problems } = await fetchComponents(tools, report, {
        mayAsk,
        trust,
        nearest,
      });
      // Looked at again, and nothing copied once more.
      if (answered || changed || problems.length > 0) {
        const again = { ...request, replace: false, answered: true, looked_up: [...problems] };
        const { written, ...looked } = await tools.call('imports.run', again);
        report = { ...looked, written: [...new Set([...report.written, ...written])] };
      }
      return show(tools, report, flags.report);
    }),
  );
}

async function answer(
  tools: ConnectedTools,
  report: Result<'imports.run'>,
  movesSecrets: boolean,
  mayAsk: boolean,
): Promise<boolean> {
  let changed = false;
  if (movesSecrets) {
    for (const { folder, findings } of report.workflows) {
      if (folder === null || !findings.some(({ question }) => question?.kind === 'secret'))
        continue;
      const { names } = await tools.call('imports.move_secrets', { workflow_path: folder });
      tools.out.note(`${folder}: ${names.join(', ')} moved into weir env.`);
      changed = true;
    }
  }
  return (mayAsk && (await answerQuestions(tools, report, !movesSecrets))) || changed;
}

async function show(
  { io, out }: ConnectedTools,
  report: Result<'imports.run'>,
  file: string | undefined,
): Promise<ExitCode> {
  if (file !== undefined) await writeNamed(io.cwd, resolve(io.cwd, file), report.markdown);
  out.answer(report, () => importText(report, io.cwd));
  return report.workflows.some(({ state }) => state === 'cannot' || state === 'unread') ? 1 : 0;
}

/** @param keyOf asked only where there is an API */
async function placeOf(
  source: string | undefined,
  flags: ImportFlags,
  cwd: string,
  keyOf: () => Promise<string>,
): Promise<Params<'imports.run'>> {
  if (flags.fromApi === true) {
    if (source !== undefined) throw new UsageError('Give --from-api or a place, not both.');
    if (flags.apiUrl === undefined) {
      throw new UsageError('--from-api needs --api-url, such as https://api.pipedream.com/v1.');
    }
    return {
      api_url: flags.apiUrl,
      api_key: await keyOf(),
      workflow_ids: [...(flags.workflow ?? [])],
      ...(flags.org !== undefined && { org_id: flags.org }),
    };
  }
  if (source === undefined) {
    throw new UsageError(
      'Say what is imported: a folder, a ZIP, the URL of a repository, or --from-api.',
    );
  }
  const path = resolve(cwd, source);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return { folder: path };
  if (found?.isFile() === true) return { zip: path };
  if (!isGitUrl(source)) throw new UsageError(`There is no ${path}, and ${source} is not a URL.`);
  return { git: source, ...(flags.branch !== undefined && { branch: flags.branch }) };
}

function isGitUrl(text: string): boolean {
  return /^(?:https?|ssh|git|file):\/\//.test(text) || /^[\w.-]+@[\w.-]+:[^\s]+$/.test(text);
}
