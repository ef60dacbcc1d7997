import type { Result } from '../../protocol/catalogue.ts';
import { titleOf } from '../views/event-line.ts';
import { durationOf, outcomeOf, titleOfRun } from '../views/invocation-line.ts';

type Run = Result<'invocations.get'>;

/** A run as text: what started it, its output with times, its events, and how it ended. */
export function runReport(run: Run, emitterName: string): string {
  const { started_at: started, created_at: created } = run;
  const head = [
    `${titleOfRun(run)} · ${emitterName} · ${run.id}`,
    [new Date(started ?? created).toLocaleString(), durationOf(run), outcomeOf(run)]
      .filter((part) => part !== undefined)
      .join(' · '),
    ...(run.replay_of === null ? [] : [`Replay of ${run.replay_of}`]),
  ];
  const received = receivedLines(run.trigger);
  const logs = run.logs.map(({ ts, level, text }) => `${clock(ts)} [${level}] ${text}`);
  const emitted = run.emitted.map((event) => {
    const dropped = event.dropped === null ? '' : ` (dropped: ${event.dropped})`;
    return `${event.id} ${titleOf(event)}${dropped}`;
  });
  const stack = run.error?.stack ?? (run.error === null ? '' : outcomeOf(run));
  const parts = [
    head,
    ...(received === undefined ? [] : [received]),
    section('Log', logs, 'The run printed nothing.'),
    section('Emitted', emitted, 'The run emitted nothing.'),
    ...(stack === '' ? [] : [section('Error', [stack], '')]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The received trigger; a request as HTTP writes it. */
function receivedLines(trigger: Run['trigger']): string[] | undefined {
  if (trigger?.kind === 'event') {
    return section('Event', [JSON.stringify(trigger.event, null, 2) ?? 'null'], '');
  }
  if (trigger?.kind !== 'http') return undefined;
  const { method, url, headers, body, body_encoding: encoding, body_bytes: bytes } = trigger;
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = encoding === 'utf8' ? body : `(${bytes} bytes that are not text)`;
  return section(
    'Request',
    [`${method} ${url}`, ...fields, ...(text === '' ? [] : ['', text])],
    '',
  );
}

export function section(title: string, lines: readonly string[], none: string): string[] {
  return [title, ...(lines.length === 0 ? [none] : lines).map((line) => indented(line))];
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

/** Local time with milliseconds. */
export function clock(at: number): string {
  const time = new Date(at).toLocaleTimeString([], { hour12: false });
  return `${time}.${String(at % 1000).padStart(3, '0')}`;
}
