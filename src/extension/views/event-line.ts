import type { EmittedEvent } from '../../protocol/catalogue.ts';
import { relativeTime, tokens, type Line } from './line.ts';

const previewLength = 120;

/** @param emitterName given where events of several emitters are listed together */
export function eventLine(event: EmittedEvent, now: number, emitterName?: string): Line {
  const label = titleOf(event);
  const when = relativeTime(event.indexed_at_ms, now);
  const parts = [event.metadata.name, when, emitterName].filter((part) => part !== undefined);
  const dropped = event.dropped === null ? undefined : `dropped: ${event.dropped}`;
  const description = [dropped, ...parts].filter((part) => part !== undefined && part !== '');
  return {
    label,
    description: description.join(' · '),
    icon: dropped === undefined ? 'symbol-event' : 'circle-slash',
    ...(dropped === undefined ? {} : { colour: 'weir.inactive' }),
    contextValue: tokens('event', dropped === undefined ? undefined : 'dropped'),
    accessible: `${label}, event, ${description.join(', ')}`,
  };
}

/** The summary the component gave, else the start of the payload. */
export function titleOf(event: EmittedEvent): string {
  const summary = event.metadata.summary?.trim();
  if (summary !== undefined && summary !== '') return oneLine(summary);
  const payload = typeof event.event === 'string' ? event.event : JSON.stringify(event.event);
  return oneLine(payload ?? 'null');
}

function oneLine(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length > previewLength ? `${flat.slice(0, previewLength)}…` : flat;
}
