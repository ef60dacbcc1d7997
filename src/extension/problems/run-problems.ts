import * as vscode from 'vscode';
import type { Source } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { runUri } from '../documents/run-documents.ts';
import { titleOfRun } from '../views/invocation-line.ts';
import { isFailing } from '../views/source-line.ts';
import { type Failed, ThrowMarks } from './throw-marks.ts';

/** Marks the line where the last run of a source threw, until a run goes well or the code is another. */
export function markRuns(folders: Folders): vscode.Disposable {
  const marks = new ThrowMarks('weir-run');
  const show = (): void =>
    marks.show(
      folders.all.flatMap((folder) =>
        folder.mirror.sources().flatMap((one) => failed(folder, one)),
      ),
    );
  return vscode.Disposable.from(
    marks,
    folders.onDidChange(({ touched }) => {
      if (touched.emitterList || touched.emitters.size > 0) show();
    }),
    folders.onDidChangeState(show),
  );
}

function failed(folder: Folder, source: Source): Failed[] {
  const run = source.last_invocation;
  if (run === null || !isFailing(source) || isOlderThanCode(source)) return [];
  return [
    {
      key: `${folder.key} ${source.id}`,
      run: run.id,
      error: run.error,
      isOwn: (file) => file === source.path || folder.holds(file),
      sentence: `The last run of ${source.name} failed here (${titleOfRun(run)}).`,
      target: runUri(folder, run),
    },
  ];
}

/** The source was changed since: the place may be another one by now, and the error mended. */
function isOlderThanCode({ updated_at: updatedAt, last_invocation: run }: Source): boolean {
  return run?.ended_at !== null && run?.ended_at !== undefined && updatedAt * 1000 > run.ended_at;
}
