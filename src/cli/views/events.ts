/** Events and log lines as a person reads them. */
import type { EmittedEvent, LogLine } from '../../protocol/catalogue.ts';
import { indented, oneLine } from '../render/printable.ts';
import { when } from './fields.ts';

/** A head line, then the payload. */
export function eventText(event: EmittedEvent): string {
  const { name, summary } = event.metadata;
  const parts = [
    when(event.indexed_at_ms),
    event.id,
    ...(name === '' ? [] : [`#${name}`]),
    ...(summary === undefined ? [] : [oneLine(summary)]),
    ...(event.dropped === null ? [] : [`(not emitted: ${oneLine(event.dropped)})`]),
  ];
  return `${parts.join('  ')}\n${JSON.stringify(event.event, null, 2)}`;
}

export function logText(line: Pick<LogLine, 'ts' | 'level' | 'text'>): string {
  const level = line.level === 'info' ? '' : `${line.level}: `;
  return `${when(line.ts)}  ${level}${indented(line.text)}`;
}
