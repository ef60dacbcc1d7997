import { describeError } from '../base/log.ts';
import type { NewLog } from '../store/history/logs.ts';
import type { UsesStore } from '../store/store.ts';
import type { Services } from './services.ts';

export interface EmitterLogOptions
  extends UsesStore<'logs'>, Pick<Services, 'emitters' | 'signals' | 'now' | 'log'> {}

/** Appends a line to the log of a source or workflow, outside any run, and shows it to those who follow it. */
export function appendLog(options: EmitterLogOptions, sourceId: string, line: NewLog): void {
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

/** The same for a warning of Weir itself. */
export function warnInLog(options: EmitterLogOptions, sourceId: string, text: string): void {
  appendLog(options, sourceId, { at: options.now(), kind: 'system', level: 'warn', text });
}
