/** The triggers of an exported workflow, as `workflow.yaml` has them (pure). */
import { isRecord } from '../../../protocol/record.ts';
import type { Reading } from './reading.ts';
import { Shape } from './shape.ts';

type Kind = 'http' | 'timer' | 'email' | 'emitter';

const kindOfPrefix: Readonly<Record<string, Kind>> = {
  hi: 'http',
  ti: 'timer',
  ei: 'email',
  dc: 'emitter',
  sub: 'emitter',
  p: 'emitter',
};

/** Words in a type, a key or a name of a trigger. */
const words: readonly (readonly [RegExp, Kind])[] = [
  [/http|webhook/i, 'http'],
  [/timer|schedule|cron/i, 'timer'],
  [/e-?mail/i, 'email'],
];

export function exportedTriggers(
  value: unknown,
  path: string,
  reading: Reading,
): Record<string, unknown>[] {
  if (value !== undefined && !Array.isArray(value) && !isRecord(value)) {
    reading.notUnderstood.push(path);
  }
  const all: readonly unknown[] = Array.isArray(value) ? value : isRecord(value) ? [value] : [];
  return all.map((one, index) => exportedTrigger(new Shape(one, `${path}[${index}]`), reading));
}

function exportedTrigger(shape: Shape, reading: Reading): Record<string, unknown> {
  const id = shape.text('id', 'trigger_id', 'emitter_id');
  const known =
    id !== undefined && /^(?:hi|ti|ei|dc|sub|p)_[0-9A-Za-z]+$/.test(id) ? id : undefined;
  const said = [shape.text('type', 'kind'), shape.text('key', 'component_key'), shape.text('name')];
  const kind =
    (known === undefined ? undefined : kindOfPrefix[known.slice(0, known.indexOf('_'))]) ??
    words.find(([word]) => said.some((text) => text !== undefined && word.test(text)))?.[1];
  const props = shape.inside('configured_props', 'props', 'configured_props_json', 'config');
  const made = {
    ...(known !== undefined && { id: known }),
    ...ofKind(kind, shape, props, reading),
  };
  // Its old address: here it has another one.
  shape.ignore('endpoint_url', 'url', 'email_address');
  reading.notUnderstood.push(...shape.left, ...props.left);
  return made;
}

function ofKind(
  kind: Kind | undefined,
  shape: Shape,
  props: Shape,
  reading: Reading,
): Record<string, unknown> {
  switch (kind) {
    case 'http': {
      const custom = shape.flag('custom_response') ?? props.flag('custom_response');
      const given =
        custom === undefined ? {} : { props: { response: custom ? 'workflow' : 'default' } };
      return { uses: '$.interface.http', ...given };
    }
    case 'timer': {
      const timer = timerOf([shape, props], reading);
      return { uses: '$.interface.timer', ...(timer !== undefined && { props: timer }) };
    }
    case 'email':
      return { uses: 'email' };
    case 'emitter': {
      const channel = shape.text('event_name') ?? props.text('event_name');
      return {
        uses: 'subscription',
        ...(channel !== undefined && { props: { event_name: channel } }),
      };
    }
    case undefined:
      reading.remarks.push(
        `${shape.path}: what kind of trigger this is cannot be seen; give it "uses" in workflow.yaml.`,
      );
      return {};
  }
}

/** `{cron, timezone}`, `{intervalSeconds}`, beside the trigger, in its props, or a level deeper. */
function timerOf(shapes: readonly Shape[], reading: Reading): Record<string, unknown> | undefined {
  for (const shape of shapes) {
    const timer = scheduleOf(shape, reading);
    if (timer !== undefined) return timer;
  }
  return undefined;
}

function scheduleOf(shape: Shape, reading: Reading): Record<string, unknown> | undefined {
  const cron = shape.text('cron', 'cron_expression');
  if (cron !== undefined) {
    const timezone = shape.text('timezone', 'tz');
    return { cron, ...(timezone !== undefined && { timezone }) };
  }
  const seconds = shape.takeIf(isInterval, 'interval_seconds', 'interval');
  if (seconds !== undefined) return { intervalSeconds: Number(seconds) };
  const nested = shape.inside('timer', 'schedule', 'cron_config', 'cron');
  if (nested.isEmpty) return undefined;
  const timer = scheduleOf(nested, reading);
  // Said beside it: `{cron: {cron: "…"}, timezone: "…"}`.
  const timezone = timer?.['cron'] === undefined ? undefined : shape.text('timezone', 'tz');
  reading.notUnderstood.push(...nested.left);
  return timer && { ...(timezone !== undefined && { timezone }), ...timer };
}

function isInterval(value: unknown): value is number | string {
  return (typeof value === 'number' || typeof value === 'string') && Number(value) > 0;
}
