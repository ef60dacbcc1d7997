import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
import type { Source } from '../../../src/protocol/catalogue.ts';
import { inWorkspace, weir } from './weir.ts';
import { until } from '../../support/until.ts';
import { workbench } from './ui.ts';

interface Stop {
  readonly session: vscode.DebugSession;
  readonly reason: string;
  readonly threadId: number;
}

interface StackFrame {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly source?: { readonly path?: string };
}

interface AdapterEvent {
  readonly type: string;
  readonly event?: string;
  readonly body?: {
    readonly reason?: string;
    readonly threadId?: number;
    readonly output?: string;
    readonly category?: string;
  };
}

/**
 * What the debug adapters of this window say, as a person at the debugger would see it: where it
 * stopped, what the variables are.
 */
export class Debugger {
  readonly output: string[] = [];
  readonly sessions = new Set<vscode.DebugSession>();
  readonly #stops: Stop[] = [];
  readonly #disposables: vscode.Disposable[];

  constructor() {
    this.#disposables = [
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => ({
          onDidSendMessage: (message: AdapterEvent) => this.#heard(session, message),
        }),
      }),
      vscode.debug.onDidStartDebugSession((session) => void this.sessions.add(session)),
      vscode.debug.onDidTerminateDebugSession((session) => void this.sessions.delete(session)),
    ];
  }

  /** The next stop. */
  async stopped(limitMs = 15_000): Promise<Stopped> {
    const stop = await until('the debugger to stop', () => this.#stops.shift(), limitMs);
    return Stopped.of(stop);
  }

  /** The sessions of processes: the JavaScript debugger starts each below the one it was asked for. */
  get processes(): readonly vscode.DebugSession[] {
    return [...this.sessions].filter(({ parentSession }) => parentSession !== undefined);
  }

  /** @param name part of its session's, as that of its component */
  process(name = ''): Promise<vscode.DebugSession> {
    return until(`the session of the process ${name}`, () =>
      this.processes.find((session) => session.name.includes(name)),
    );
  }

  /** Lets it go on wherever it stops, until the promise has settled. */
  async runOn<T>(end: Promise<T>): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    end.then(over, over);
    await until('the run to end', async () => {
      if (!this.quiet) await (await this.stopped()).go('continue');
      return isOver;
    });
    return end;
  }

  /** Whether nothing has stopped since the last stop that was asked for. */
  get quiet(): boolean {
    return this.#stops.length === 0;
  }

  /**
   * Sets a breakpoint at a mark and waits until it is bound in a process, where one is being debugged.
   * @returns the place a debugger stops at, as `Stopped.place` gives it
   */
  async breakAt(
    file: string,
    mark: string,
    { condition, hits, log }: { condition?: string; hits?: string; log?: string } = {},
  ): Promise<string> {
    const line = await lineOf(file, mark);
    const location = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, 0));
    const breakpoint = new vscode.SourceBreakpoint(location, true, condition, hits, log);
    vscode.debug.addBreakpoints([breakpoint]);
    const place = Debugger.placeOf(file, line);
    if (this.processes.length === 0) return place;
    await until(`the breakpoint at ${place} to be bound`, async () => {
      const bound = await Promise.all(
        this.processes.map((session) => session.getDebugProtocolBreakpoint(breakpoint)),
      );
      return bound.some((one) => one !== undefined && 'verified' in one && one.verified === true);
    });
    return place;
  }

  /** As `Stopped.place` gives it: below the fixtures the path from there, elsewhere the whole one. */
  static placeOf(file: string, line: number): string {
    const inside = path.relative(debugged(), file);
    return `${inside.startsWith('..') ? file : inside}:${line}`;
  }

  /** Disconnects whatever is attached. */
  async end(): Promise<void> {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    for (const session of this.sessions) {
      if (session.parentSession === undefined) await vscode.debug.stopDebugging(session);
    }
    await until('all sessions to end', () => this.sessions.size === 0);
    this.#stops.length = 0;
    this.output.length = 0;
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #heard(session: vscode.DebugSession, { type, event, body = {} }: AdapterEvent): void {
    if (type !== 'event') return;
    if (event === 'stopped') {
      this.#stops.push({ session, reason: body.reason ?? '', threadId: body.threadId ?? 0 });
    }
    if (event === 'output' && body.category !== 'telemetry')
      this.output.push(stripVTControlCharacters(body.output ?? ''));
  }
}

/** The debuggee at a stop. */
export class Stopped {
  readonly session: vscode.DebugSession;
  readonly reason: string;
  readonly frames: readonly StackFrame[];
  readonly #threadId: number;

  private constructor(stop: Stop, frames: readonly StackFrame[]) {
    this.session = stop.session;
    this.reason = stop.reason;
    this.#threadId = stop.threadId;
    this.frames = frames;
  }

  static async of(stop: Stop): Promise<Stopped> {
    const { stackFrames } = (await stop.session.customRequest('stackTrace', {
      threadId: stop.threadId,
      startFrame: 0,
      levels: 10,
    })) as { stackFrames: StackFrame[] };
    return new Stopped(stop, stackFrames);
  }

  get top(): StackFrame {
    const [top] = this.frames;
    if (top === undefined) throw new Error('It stopped without a frame.');
    return top;
  }

  /** `FILE:LINE`, the file as seen from the folder of the fixtures. */
  get place(): string {
    const shown = this.top.source?.path ?? '?';
    // In a window whose files are elsewhere, as a browser's are, paths are addresses.
    const file = shown.includes('://') ? vscode.Uri.parse(shown).path : shown;
    return Debugger.placeOf(file, this.top.line);
  }

  /** Names and values of the innermost scopes. */
  async variables(): Promise<Record<string, string>> {
    const { scopes } = (await this.session.customRequest('scopes', { frameId: this.top.id })) as {
      scopes: { variablesReference: number; expensive?: boolean }[];
    };
    const found: Record<string, string> = {};
    for (const { variablesReference, expensive } of scopes) {
      if (expensive === true) continue;
      const { variables } = (await this.session.customRequest('variables', {
        variablesReference,
      })) as { variables: { name: string; value: string }[] };
      for (const { name, value } of variables) found[name] ??= value;
    }
    return found;
  }

  async evaluate(expression: string): Promise<string> {
    const { result } = (await this.session.customRequest('evaluate', {
      expression,
      frameId: this.top.id,
      context: 'repl',
    })) as { result: string };
    return result;
  }

  async go(how: 'continue' | 'next' | 'stepIn' | 'stepOut'): Promise<void> {
    await this.session.customRequest(how, { threadId: this.#threadId });
  }
}

/** A file of the fixtures for debugging, in the workspace. */
export function debugged(...parts: string[]): string {
  return inWorkspace('debugging', ...parts);
}

export async function copyDebugged(to = debugged()): Promise<void> {
  const fixtures = path.resolve(process.env['WEIR_TEST_FIXTURES'] ?? '', '..', 'debugging');
  await cp(fixtures, to, { recursive: true });
}

/** 1-based line of the mark `// stop: MARK`. */
export async function lineOf(file: string, mark: string): Promise<number> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const line = lines.findIndex((text) => text.endsWith(`// stop: ${mark}`));
  if (line === -1) throw new Error(`${file} has no line "stop: ${mark}".`);
  return line + 1;
}

export function clearBreakpoints(): void {
  vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
}

/** With the keys, in the editor that is active, which shows a component. */
export async function pressF5(window?: Page): Promise<void> {
  const page = window ?? (await workbench());
  const editor = page.locator('.editor-group-container.active');
  await editor.locator('.view-lines').first().click();
  await editor.locator('.monaco-editor.focused').first().waitFor();
  await page.keyboard.press('F5');
}

/** The source of a file of the fixtures, once it is deployed. */
export async function deployed(file: string): Promise<Source> {
  const { runtime } = await weir();
  return until(`${file} to be deployed`, async () => {
    const { data } = await runtime.call('sources.list', { limit: 100 });
    return data.find((one) => one.path === debugged(file));
  });
}

export async function undeploy(file: string): Promise<void> {
  const { runtime } = await weir();
  const { data } = await runtime.call('sources.list', { limit: 100 });
  for (const { id, path: deployedFile } of data) {
    if (deployedFile === debugged(file)) await runtime.call('sources.delete', { id });
  }
}
