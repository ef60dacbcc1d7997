import * as vscode from 'vscode';

/** Why a session is over: its process ended, or the user left it. */
export type SessionEnd = 'process' | 'user';

interface Listener<Key> {
  /** User code stands at a breakpoint, or goes on. */
  stopped(session: string, key: Key, stopped: boolean): void;
  ended(session: string, key: Key, end: SessionEnd): void;
}

interface AdapterMessage {
  readonly type: string;
  readonly event?: string;
  readonly command?: string;
}

/**
 * Reads along what VS Code and the debug adapter say to each other in the sessions that have a key.
 * The JavaScript debugger starts a session of its own for the process below the one it was asked for.
 */
export function followSession<Key>(
  keyOf: (session: vscode.DebugSession) => Key | undefined,
  listener: Listener<Key>,
): vscode.Disposable {
  /** By root session: which came first, the end of the process or the user's wish. */
  const ends = new Map<string, SessionEnd>();
  const tracker = (session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined => {
    const key = keyOf(session);
    if (key === undefined) return undefined;
    const root = rootOf(session).id;
    const firstEnd = (end: SessionEnd): void => {
      if (!ends.has(root)) ends.set(root, end);
    };
    return {
      onWillReceiveMessage({ type, command }: AdapterMessage) {
        if (type === 'request' && (command === 'disconnect' || command === 'terminate')) {
          firstEnd('user');
        }
      },
      onDidSendMessage({ type, event }: AdapterMessage) {
        if (type !== 'event') return;
        if (event === 'stopped') listener.stopped(session.id, key, true);
        if (event === 'continued') listener.stopped(session.id, key, false);
        if (event === 'terminated') firstEnd('process');
      },
    };
  };
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterTrackerFactory('*', { createDebugAdapterTracker: tracker }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      const key = keyOf(session);
      if (key === undefined) return;
      listener.stopped(session.id, key, false);
      if (session.parentSession !== undefined) return;
      listener.ended(session.id, key, ends.get(session.id) ?? 'process');
      ends.delete(session.id);
    }),
  );
}

function rootOf(session: vscode.DebugSession): vscode.DebugSession {
  return session.parentSession === undefined ? session : rootOf(session.parentSession);
}
