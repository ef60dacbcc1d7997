/** Debugging as every face shows it (pure). */
import type { DebuggedProcess, DebugState } from '../../../protocol/catalogue.ts';
import type { DebugSession } from '../../components/debug/session.ts';
import type { Debugged } from '../../processes/debugged.ts';

export function presentDebugged({ target, url, folder }: Debugged): DebuggedProcess {
  const { sourceId, path } = target;
  return { source_id: sourceId, path, url, port: Number(new URL(url).port), folder };
}

export function presentDebugState(session: DebugSession | undefined): DebugState | null {
  if (session === undefined) return null;
  return { paused: session.paused, processes: session.processes.map(presentDebugged) };
}
