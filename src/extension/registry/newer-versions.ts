import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { workflowFileName } from '../workflows/workflow-files.ts';
import type { VersionStatusLenses } from './version-status-lenses.ts';

/**
 * Above `uses:` of a workflow, and above `export default` of a component of others: that its registry has a newer version, or has
 * taken this one back. What asks and shows it is loaded with the first file that may have some.
 */
export function tellOfNewerVersions(folders: Folders, clock: Clock): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let loaded: Promise<VersionStatusLenses> | undefined;
  const load = (): Promise<VersionStatusLenses> =>
    (loaded ??= import('./registry.ts').then(
      (registry) => new registry.VersionStatusLenses(folders, clock, () => changed.fire()),
    ));
  /** A component of others is in the cache of the user, outside of every folder. */
  const mayHaveSome = ({ uri, fileName }: vscode.TextDocument): boolean =>
    fileName.endsWith(workflowFileName) || !folders.all.some((one) => one.holds(uri.fsPath));
  return vscode.Disposable.from(
    changed,
    { dispose: () => void loaded?.then((lenses) => lenses.dispose()) },
    folders.onDidChangeState(() => changed.fire()),
    vscode.languages.registerCodeLensProvider(
      [
        { scheme: 'file', pattern: `**/${workflowFileName}` },
        { scheme: 'file', language: 'javascript' },
        { scheme: 'file', language: 'typescript' },
      ],
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: async (document) =>
          vscode.workspace.isTrusted && mayHaveSome(document)
            ? (await load()).lensesOf(document)
            : [],
      },
    ),
  );
}
