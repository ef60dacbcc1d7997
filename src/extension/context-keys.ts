import * as vscode from 'vscode';
import type { Folders } from './connection/folders.ts';
import type { RuntimeState } from './connection/runtime-link.ts';

/** Every context key of ours, for the manifest's `when` clauses. */
interface ContextKeys {
  readonly 'weir.runtime': RuntimeState;
  readonly 'weir.hasSources': boolean;
  readonly 'weir.hasEvents': boolean;
  readonly 'weir.eventsFiltered': boolean;
  /** Newer events are kept back while older ones are read. */
  readonly 'weir.eventsWaiting': boolean;
  /** The active editor shows a component: F5 debugs it. */
  readonly 'weir.componentEditor': boolean;
}

/** What was set last: VS Code looks at every menu again for each that is set. */
const known = new Map<string, unknown>();

export function setContext<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  if (known.get(key) === value) return;
  known.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}

/** Keeps the keys that say how the runtime is. */
export function followContext(folders: Folders): vscode.Disposable {
  const set = (): void => {
    const sources = folders.all.flatMap(({ mirror }) =>
      mirror.sources().map(({ id }) => ({ mirror, id })),
    );
    setContext('weir.runtime', folders.state);
    setContext('weir.hasSources', sources.length > 0);
    setContext(
      'weir.hasEvents',
      sources.some(({ mirror, id }) => mirror.eventCount(id) > 0),
    );
  };
  set();
  return vscode.Disposable.from(
    folders.onDidChangeState(set),
    folders.onDidChange(({ touched }) => {
      if (touched.sourceList || touched.events.size > 0) set();
    }),
  );
}
