/** `weir deploy FOLDER` for a folder with several workflows: deploys the ready ones, one after the other. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Result } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { ConnectedTools, ExitCode } from '../cli.ts';
import { deployedText, warningText } from '../views/workflows.ts';

/** The search ends here: a folder with more folders below it, such as the root of the disk, is not one of workflows. */
const mostFolders = 2000;

/** Absolute path of a folder that is no workflow and has workflows below; undefined for anything else. */
export function folderOfWorkflows(argument: string, cwd: string): string | undefined {
  const root = resolve(cwd, argument);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const folders = [root];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    if ((seen += 1) > mostFolders) return undefined;
    const entries = entriesIn(folder);
    if (entries.some((entry) => entry.isFile() && entry.name === 'workflow.yaml')) {
      return folder === root ? undefined : root;
    }
    for (const entry of entries) {
      const isAside = entry.name === 'node_modules' || entry.name.startsWith('.');
      if (entry.isDirectory() && !isAside) folders.push(join(folder, entry.name));
    }
  }
  return undefined;
}

/** None of a folder that may not be read, or that is gone by now. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

interface NotDeployed {
  readonly path: string;
  readonly message: string;
}

/** A failed deploy does not stop the others. @returns 1 when a deploy failed */
export async function deployFolder(tools: ConnectedTools, folder: string): Promise<ExitCode> {
  const { call, out, io } = tools;
  const { workflows } = await call('imports.run', { folder });
  const deployed: Result<'workflows.deploy'>[] = [];
  const failed: NotDeployed[] = [];
  const skipped: NotDeployed[] = [];
  for (const { folder: path, state, findings } of workflows) {
    if (path === null) continue;
    if (state !== 'ready') {
      const open = findings.filter((one) => one.state === 'answer' || one.state === 'cannot');
      const [first] = open;
      const more = open.length > 1 ? ` (and ${open.length - 1} more)` : '';
      const step = first === undefined || first.step === null ? '' : `${first.step}: `;
      skipped.push({ path, message: `${step}${first?.message ?? 'It is not ready.'}${more}` });
      continue;
    }
    try {
      const workflow = await call('workflows.deploy', { workflow_path: path });
      for (const warning of workflow.warnings) out.note(warningText(warning));
      deployed.push(workflow);
    } catch (error) {
      if (!WeirError.is(error) || error.code === 'cancelled') throw error;
      failed.push({ path, message: messageOf(error) });
    }
  }
  const shown = (mark: string, all: readonly NotDeployed[]): string[] =>
    all.map(({ path, message }) => `${mark} ${relative(io.cwd, path)}: ${message}`);
  out.answer({ deployed, failed, skipped }, () =>
    [
      ...deployed.map((workflow) => `${deployedText(workflow)}\n`),
      ...shown('✖', failed),
      ...shown('–', skipped),
      `${deployed.length} deployed, ${failed.length} failed, ${skipped.length} not ready.`,
      ...(skipped.length > 0
        ? [`"weir import ${relative(io.cwd, folder) || '.'}" says what they need.`]
        : []),
    ].join('\n'),
  );
  return failed.length > 0 || deployed.length === 0 ? 1 : 0;
}
