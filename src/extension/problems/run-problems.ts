import * as vscode from 'vscode';
import type { Invocation, Source } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { runUri } from '../documents/run-documents.ts';
import { titleOfRun } from '../views/invocation-line.ts';
import type { SeenRuns } from '../runs/seen-runs.ts';
import { isFailing, lastFailed } from '../views/source-line.ts';
import { type Failed, ThrowMarks } from './throw-marks.ts';

/**
 * Marks the line where a run of a source threw: that of its last run, else of the newest failed one that nobody has looked at. The mark goes
 * with the code that threw.
 */
export function markRuns(folders: Folders, seen: SeenRuns): vscode.Disposable {
  const marks = new ThrowMarks('weir-run');
  const show = (): void =>
    marks.show(
      folders.all.flatMap((folder) =>
        folder.mirror.sources().flatMap((one) => failed(folder, one, seen.unseen(folder, one)[0])),
      ),
    );
  return vscode.Disposable.from(
    marks,
    folders.onDidChange(({ touched }) => {
      if (touched.emitterList || touched.emitters.size > 0) show();
    }),
    folders.onDidChangeState(show),
    seen.onDidChange.on(show),
  );
}

function failed(folder: Folder, source: Source, unseen: Invocation | undefined): Failed[] {
  const run = lastFailed(source) ? source.last_invocation : unseen;
  if (run === undefined || run === null || !isFailing(source, 1)) return [];
  if (isOlderThanCode(source, run)) return [];
  return [
    {
      key: `${folder.key} ${source.id}`,
      run: run.id,
      error: run.error,
      isOwn: (file) => file === source.path || folder.holds(file),
      sentence: `A run of ${source.name} failed here (${titleOfRun(run)}).`,
      target: runUri(folder, run),
    },
  ];
}

/** The source was changed since: the place may be another one by now, and the error mended. */
function isOlderThanCode(
  { updated_at: updatedAt }: Source,
  { ended_at: end }: Invocation,
): boolean {
  return end !== null && updatedAt * 1000 > end;
}
