import type { EmittedEvent } from '../../protocol/catalogue.ts';
import { countOf } from '../count-of.ts';
import type { Scheduled } from '../model/scheduled-events.ts';
import { titleOf } from './event-line.ts';
import { relativeTime, tokens, type Line } from './line.ts';

/** The row above the events of a source that wait for their time. */
export function scheduledLine({ total, nextAt }: Scheduled, now: number): Line {
  const next = nextAt === undefined ? undefined : `the next ${relativeTime(nextAt, now)}`;
  return {
    label: `Scheduled (${total})`,
    description: next ?? '',
    icon: 'calendar',
    contextValue: tokens('scheduled'),
    accessible: ['Scheduled', countOf(total, 'event'), next].filter(Boolean).join(', '),
  };
}

export function scheduledEventLine(event: EmittedEvent, now: number): Line {
  const label = titleOf(event);
  const { delivery_ts: due, name } = event.metadata;
  const when = due === undefined ? undefined : `due ${relativeTime(due, now)}`;
  const description = [when, name].filter((part) => part !== undefined && part !== '');
  return {
    label,
    description: description.join(' · '),
    icon: 'clock',
    contextValue: tokens('scheduledEvent'),
    accessible: `${label}, scheduled event, ${description.join(', ')}`,
  };
}
