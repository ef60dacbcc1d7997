import * as vscode from 'vscode';
import { rootOf } from './root-session.ts';

/** Why a session is over: its process ended, or the user ended it. */
export type SessionEnd = 'process' | 'user';

interface SessionEvents<Key> {
  /** The code has stopped at a breakpoint, or continues. */
  stopped(session: string, key: Key, stopped: boolean): void;
  ended(session: string, key: Key, end: SessionEnd): void;
}

interface AdapterMessage {
  readonly type: string;
  readonly event?: string;
  readonly command?: string;
}

/**
 * Reads what VS Code and the debug adapter send each other in sessions that have a key. The JavaScript
 * debugger starts a child session for the process below the one it was asked for.
 */
export function followSession<Key>(
  keyOf: (session: vscode.DebugSession) => Key | undefined,
  events: SessionEvents<Key>,
): vscode.Disposable {
  /** By root session: what came first, the end of the process or the user's request. */
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
        if (event === 'stopped') events.stopped(session.id, key, true);
        if (event === 'continued') events.stopped(session.id, key, false);
        if (event === 'terminated') firstEnd('process');
      },
    };
  };
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterTrackerFactory('*', { createDebugAdapterTracker: tracker }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      const key = keyOf(session);
      if (key === undefined) return;
      events.stopped(session.id, key, false);
      if (session.parentSession !== undefined) return;
      events.ended(session.id, key, ends.get(session.id) ?? 'process');
      ends.delete(session.id);
    }),
  );
}
