import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../protocol/errors.ts';
import type { PageMessage } from '../../webview/builder/messages.ts';
import { valueAt } from '../../workflow-file/steps-in.ts';
import { recentValues } from '../../workflow-file/recent-values.ts';
import { placeOf } from '../../workflow-file/yaml-values.ts';
import { isRecord } from '../../protocol/record.ts';
import { chooseMode, chosenMode } from '../workflows/test-mode.ts';
import type { BuilderParts } from './builder-parts.ts';
import { nameAt, valuesOf } from './edits.ts';
import type { ShownWorkflow } from './shown-workflow.ts';

/** Returns the meaning of a schedule; if it has none the page shows no preview. */
export async function previewSchedule(
  parts: BuilderParts,
  { message: { prop, request, timer } }: Extract<PageMessage, { t: 'preview' }>,
): Promise<void> {
  try {
    const client = await parts.folder.link.ready();
    const preview = await client.call('timers.preview', timer);
    parts.post({ t: 'preview', message: { t: 'schedule', prop, request, preview } });
  } catch (error) {
    parts.context.output.info(`A schedule could not be previewed: ${messageOf(error)}`);
  }
}

/**
 * The actions of the page's buttons that do not change the text.
 * @param column where the builder is, and its text will be
 * @param shown knows the newest execution
 */
export async function doAction(
  { context, document, file, folder }: BuilderParts,
  column: vscode.ViewColumn | undefined,
  shown: ShownWorkflow,
  { what, path: at }: Extract<PageMessage, { t: 'do' }>,
): Promise<void> {
  const run = (command: string, argument?: unknown): Thenable<unknown> =>
    vscode.commands.executeCommand(command, argument);
  switch (what) {
    case 'text': {
      const { root, problems } = recentValues(document.getText());
      const error = problems.find(({ severity }) => severity === 'error');
      const offset =
        root === undefined ? (error?.span.start ?? 0) : placeOf(root.at, at).span.start;
      const place = document.positionAt(offset);
      return void vscode.window.showTextDocument(document, {
        selection: new vscode.Range(place, place),
        viewColumn: column ?? vscode.ViewColumn.Active,
      });
    }
    case 'test':
      folder.requireCurrent();
      await run('weir.testWorkflow', { file, isInBuilder: true });
      return shown.postModel();
    case 'dry': {
      const isDry = chosenMode(context.memory, file) === 'dry';
      await chooseMode(context.memory, file, isDry ? 'real' : 'dry');
      return shown.postModel();
    }
    case 'deploy':
      folder.requireCurrent();
      return void run('weir.deployWorkflow', file);
    case 'run':
      folder.requireCurrent();
      return void run('weir.runWithEvent', file);
    case 'debug':
      folder.requireCurrent();
      return void run('weir.debugWorkflow', file);
    case 'runStep':
      folder.requireCurrent();
      return void run('weir.runStep', { file, step: nameAt(document.getText(), at) });
    case 'pin': {
      folder.requireCurrent();
      const last = await shown.lastRunOf(at);
      if (last === undefined) return;
      return void run('weir.pinStep', { kind: 'step', folder, ...last });
    }
    case 'undo':
    case 'redo':
      return void run(what);
    case 'code': {
      const step = valueAt(valuesOf(document.getText()), at);
      const uses = isRecord(step) ? String(step['uses']) : '';
      if (!uses.startsWith('.')) return;
      return void run('weir.openStep', path.resolve(path.dirname(file), uses));
    }
    default:
      return what satisfies never;
  }
}
