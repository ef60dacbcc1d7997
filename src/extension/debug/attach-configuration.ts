import type * as vscode from 'vscode';
import type { DebuggedProcess } from '../../protocol/catalogue.ts';
import { rootOf } from './root-session.ts';

/** What a session of the JavaScript debugger debugs; it is a part of its configuration. */
export interface DebugKey {
  /** Key of the runtime. */
  readonly runtime: string;
  /** Id of a source, or path of a file that is not deployed. */
  readonly target: string;
}

/** A component runs on the editor's Node or on one from the settings; it is at least this version. */
const oldestNode = 20;

/**
 * How the built-in JavaScript debugger attaches to a component's process. Every key is needed: without
 * any one of them breakpoints were missed in a real editor.
 * @param ownCode folder of Weir's own bundles, which are skipped when stepping
 */
export function attachConfiguration(
  name: string,
  process: DebuggedProcess,
  weir: DebugKey,
  ownCode: string,
): vscode.DebugConfiguration {
  return {
    type: 'node',
    request: 'attach',
    name,
    // Otherwise the debugger asks for it over HTTP first.
    websocketAddress: process.url,
    // Otherwise it runs the `node` on the PATH, which is a different one, to learn its version.
    nodeVersionHint: oldestNode,
    // Otherwise every breakpoint is missed in a window without a folder.
    cwd: process.folder,
    // Breakpoints are bound before the first line of the bundle runs.
    pauseForSourceMap: true,
    // All of them: in a pattern, brackets in a path would have to be escaped.
    resolveSourceMapLocations: null,
    outFiles: [],
    skipFiles: ['<node_internals>/**', `${ownCode}/**`],
    // Otherwise the debugger leaves NODE_OPTIONS behind in the process.
    autoAttachChildProcesses: false,
    weir,
  };
}

/** Undefined for sessions that are not ours. */
export function keyOf(session: vscode.DebugSession): DebugKey | undefined {
  return rootOf(session).configuration['weir'] as DebugKey | undefined;
}
