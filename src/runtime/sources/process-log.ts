/** The log lines of a source's process outside of any run. */
import type { ConsoleLine } from '../../protocol/host.ts';
import { appendLog, type EmitterLogOptions, warnInLog } from '../events/emitter-log.ts';
import type { HostOptions, ProcessExit } from '../processes/host.ts';
import type { NewLog } from '../store/history/logs.ts';

/** For the process of one source: console lines outside any invocation, and why it ended. */
export function processLog(
  options: EmitterLogOptions,
  sourceId: string,
): Required<Pick<HostOptions, 'onLog' | 'onEnd'>> {
  const append = (line: NewLog): void => appendLog(options, sourceId, line);
  return {
    onLog: (lines: readonly ConsoleLine[]) => {
      for (const line of lines) append({ ...line, kind: 'console' });
    },
    onEnd: (loss: ProcessExit | null) => {
      // A process that Weir ended itself needs no line; a lost invocation has one in its own log.
      if (loss === null || loss.cause === 'killed' || loss.cause === 'stopped') return;
      warnInLog(options, sourceId, `The process of this source ended: ${loss.message}`);
    },
  };
}
