/** What is logged of a source outside any invocation: by its process, and of requests that are refused. */
import type { ConsoleLine } from '../../protocol/host.ts';
import type { HostOptions, Loss } from '../processes/host.ts';
import { describeError } from '../base/log.ts';
import type { NewLog } from '../store/history/logs.ts';
import type { UsesStore } from '../store/store.ts';
import type { Services } from '../events/services.ts';

export interface ProcessLogOptions
  extends UsesStore<'logs'>, Pick<Services, 'emitters' | 'signals' | 'now' | 'log'> {}

/** One line into the log of a source, and to those who follow it. */
export function appendLog(options: ProcessLogOptions, sourceId: string, line: NewLog): void {
  const owner = options.emitters.get(sourceId);
  if (owner === undefined) {
    // It is being deployed, or was just deleted: there is no log to put it in.
    options.log('info', `${sourceId}: ${line.text}`);
    return;
  }
  options.store.logs.append(owner, line).then(
    (id) => options.signals.emit('log', { ...line, id, emitterId: sourceId, invocation: null }),
    (error: unknown) => options.log('warn', `A log line was lost: ${describeError(error)}`),
  );
}

/** For the process of one source: console lines outside any invocation, and why it ended. */
export function processLog(
  options: ProcessLogOptions,
  sourceId: string,
): Required<Pick<HostOptions, 'onLog' | 'onEnd'>> {
  const append = (line: NewLog): void => appendLog(options, sourceId, line);
  return {
    onLog: (lines: readonly ConsoleLine[]) => {
      for (const line of lines) append({ ...line, kind: 'console' });
    },
    onEnd: (loss: Loss | null) => {
      // What Weir ended itself needs no line; an invocation that was lost has one in its own log.
      if (loss === null || loss.cause === 'killed' || loss.cause === 'stopped') return;
      const text = `The process of this source ended: ${loss.message}`;
      append({ at: options.now(), kind: 'system', level: 'warn', text });
    },
  };
}
