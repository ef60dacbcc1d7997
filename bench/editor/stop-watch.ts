import * as vscode from 'vscode';
import { until } from '../../test/support/until.ts';

interface Message {
  readonly type: string;
  readonly event?: string;
  readonly command?: string;
  readonly body?: { readonly threadId?: number };
}

/** Times what the debug adapters of this window say, at the moment they say it. */
export class StopWatch {
  readonly #sessions = new Set<vscode.DebugSession>();
  readonly #disposables: vscode.Disposable[];
  #start = 0;
  #attached = 0;
  #stopped = 0;
  #at: { readonly session: vscode.DebugSession; readonly threadId: number } | undefined;

  constructor() {
    this.#disposables = [
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => ({
          onWillReceiveMessage: ({ type, command }: Message) => {
            const isFirst = session.parentSession === undefined && this.#attached === 0;
            if (type === 'request' && command === 'attach' && isFirst) {
              this.#attached = performance.now() - this.#start;
            }
          },
          onDidSendMessage: ({ type, event, body }: Message) => {
            if (type !== 'event' || event !== 'stopped') return;
            this.#stopped = performance.now() - this.#start;
            this.#at = { session, threadId: body?.threadId ?? 0 };
          },
        }),
      }),
      vscode.debug.onDidStartDebugSession((session) => void this.#sessions.add(session)),
      vscode.debug.onDidTerminateDebugSession((session) => void this.#sessions.delete(session)),
    ];
  }

  /** Ms from the command until the debugger was told to attach, and until it stopped. */
  async stopAfter(start: () => Thenable<unknown>): Promise<{ attached: number; stopped: number }> {
    this.#at = undefined;
    this.#attached = 0;
    this.#start = performance.now();
    await start();
    await until('the debugger to stop', () => this.#at !== undefined);
    return { attached: this.#attached, stopped: this.#stopped };
  }

  async continue(): Promise<void> {
    await this.#at?.session.customRequest('continue', { threadId: this.#at.threadId });
  }

  async disconnect(): Promise<void> {
    for (const session of this.#sessions) {
      if (session.parentSession === undefined) await vscode.debug.stopDebugging(session);
    }
    await until('all sessions to end', () => this.#sessions.size === 0);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
