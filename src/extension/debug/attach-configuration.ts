import type * as vscode from 'vscode';
import type { DebuggedProcess } from '../../protocol/catalogue.ts';

/** Which debugging a session of the JavaScript debugger belongs to; it travels in its configuration. */
export interface DebugKey {
  readonly dataFolder: string;
  /** `dc_…` of a source, or the path of a file that is only tried. */
  readonly target: string;
}

/** A component runs on the editor's Node, or the one that is set; what they can do beyond makes no difference here. */
const oldestNode = 20;

/**
 * How the built-in JavaScript debugger attaches to a component's process. Every key was measured:
 * without one of them breakpoints are missed.
 * @param ownCode folder of Weir's own bundles, which nobody wants to step into
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
    // Else the debugger asks the port for it, once more over HTTP.
    websocketAddress: process.url,
    // Else it runs the `node` of the PATH to learn its version, which is another one anyway.
    nodeVersionHint: oldestNode,
    // Without a folder in the window every breakpoint would be missed.
    cwd: process.folder,
    // Breakpoints are bound before the first line of the bundle runs.
    pauseForSourceMap: true,
    // All: a pattern would have to be escaped wherever a path has brackets in it.
    resolveSourceMapLocations: null,
    outFiles: [],
    skipFiles: ['<node_internals>/**', `${ownCode}/**`],
    // Else the debugger leaves NODE_OPTIONS behind in the process.
    autoAttachChildProcesses: false,
    weir,
  };
}

/** Undefined for sessions that are none of ours. */
export function keyOf(session: vscode.DebugSession): DebugKey | undefined {
  let root = session;
  while (root.parentSession !== undefined) root = root.parentSession;
  return root.configuration['weir'] as DebugKey | undefined;
}
