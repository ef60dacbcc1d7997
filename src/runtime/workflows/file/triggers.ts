/** Triggers of a file as what they are (pure). */
import type { TriggerDefinition } from '../../../protocol/workflow.ts';
import type { z } from 'zod';
import { isRecord } from '../../../protocol/record.ts';
import { checkSchedule, scheduleWarning } from '../../events/schedules/schedule.ts';
import { faultsOf } from './issues.ts';
import type { Report } from './report.ts';
import {
  emailProps,
  emitterProps,
  httpProps,
  isPlatformSource,
  timerProps,
  triggerUses,
  type TriggerInFile,
  type TriggerKind,
} from './schema.ts';
import type { Path } from '../../../workflow-file/yaml-values.ts';

const kindOfPrefix: Readonly<Record<string, TriggerKind>> = {
  hi: 'http',
  ti: 'timer',
  ei: 'email',
  dc: 'emitter',
  sub: 'emitter',
  p: 'emitter',
};

const usesOfKind = Object.fromEntries(
  Object.entries(triggerUses).map(([uses, kind]) => [kind, uses]),
) as Record<TriggerKind, string>;

export function readTriggers(
  triggers: readonly TriggerInFile[],
  report: Report,
): TriggerDefinition[] {
  const ids = new Map<string, number>();
  return triggers.flatMap((trigger, index) => {
    const path = ['triggers', index];
    const first = trigger.id === undefined ? undefined : ids.get(trigger.id);
    if (first !== undefined) {
      const message = `Trigger ${first + 1} has the id "${trigger.id}" too: remove one of them, or give another id.`;
      report('error', [...path, 'id'], message);
    } else if (trigger.id !== undefined) ids.set(trigger.id, index);
    return readTrigger(trigger, path, report) ?? [];
  });
}

/** @returns undefined if a problem was reported instead */
function readTrigger(
  trigger: TriggerInFile,
  path: Path,
  report: Report,
): TriggerDefinition | undefined {
  const { id, uses } = trigger;
  const byId = id === undefined ? undefined : kindOfPrefix[id.slice(0, id.indexOf('_'))];
  const isSource = uses !== undefined && isPlatformSource(uses);
  const byUses = isSource ? 'emitter' : kindOfUses(uses);
  const kind = byUses ?? byId;
  if (kind === undefined) {
    const message =
      'A trigger needs "uses" ("$.interface.http", "$.interface.timer" or "email"), or the id of what it listens to ("id: dc_…").';
    report('error', path, message);
    return undefined;
  }
  if (byId !== undefined && byId !== kind) {
    const message = `"${id}" is the id of another kind of trigger ("${usesOfKind[byId]}") than "uses" says: remove one of the two.`;
    report('warning', [...path, 'id'], message);
  }
  const props: unknown = trigger.props ?? {};
  const at = [...path, 'props'];
  const withId = id === undefined ? {} : { id };
  switch (kind) {
    case 'http':
      return checked(httpProps, props, at, report, (http) => readHttp(http, withId, at, report));
    case 'timer':
      return checked(timerProps, props, at, report, (timer) =>
        readTimer(timer, id, trigger.props === undefined ? path : at, report),
      );
    case 'email':
      return checked(emailProps, props, at, report, () => ({ type: 'email', ...withId }));
    case 'emitter':
      return checked(emitterProps, isSource ? ownProps(props) : props, at, report, (given) =>
        readListener(given, id, path, report),
      );
  }
}

function kindOfUses(uses: string | undefined): TriggerKind | undefined {
  return uses !== undefined && Object.hasOwn(triggerUses, uses)
    ? triggerUses[uses as keyof typeof triggerUses]
    : undefined;
}

/** Of the props of a platform's source, those that are about listening. */
function ownProps(props: unknown): unknown {
  if (!isRecord(props)) return props;
  return Object.fromEntries(
    Object.keys(emitterProps.shape).flatMap((name) =>
      props[name] === undefined ? [] : [[name, props[name]]],
    ),
  );
}

/** Returns the result of `read` for the props, unless an error in them was reported. */
function checked<S extends z.ZodType, R>(
  schema: S,
  props: unknown,
  path: Path,
  report: Report,
  read: (props: z.output<S>) => R,
): R | undefined {
  const { error } = schema.safeParse(props);
  const faults = faultsOf(error?.issues ?? [], props);
  for (const fault of faults) {
    report(fault.severity, [...path, ...fault.path], fault.message, fault.ofKey);
  }
  if (faults.some(({ severity }) => severity === 'error')) return undefined;
  return read(props as z.output<S>);
}

function readHttp(
  { response, status, headers, body, auth }: z.output<typeof httpProps>,
  id: { readonly id?: string },
  path: Path,
  report: Report,
): TriggerDefinition | undefined {
  if (response !== 'static') {
    for (const [key, value] of Object.entries({ status, headers, body })) {
      if (value === undefined) continue;
      const message = `"${key}" belongs to a static response and has no effect: add "response: static".`;
      report('warning', [...path, key], message, true);
    }
  }
  const token = auth?.type === 'token' ? auth.token : undefined;
  if (auth?.type === 'token' && (token === undefined || token === '')) {
    const message =
      'Say which token callers have to send: token: "{{process.env.NAME}}", with the value in the environment.';
    report('error', [...path, 'auth'], message);
    return undefined;
  }
  return {
    type: 'http',
    ...id,
    ...(response !== undefined && { response }),
    ...(response === 'static' && {
      ...(status !== undefined && { status }),
      ...(headers !== undefined && { headers: textsOf(headers) }),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
    ...(token !== undefined && { token }),
  };
}

function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function readTimer(
  { cron, timezone, intervalSeconds }: z.output<typeof timerProps>,
  id: string | undefined,
  path: Path,
  report: Report,
): TriggerDefinition | undefined {
  if (cron !== undefined && intervalSeconds !== undefined) {
    report('error', path, 'A timer has either "cron" or "intervalSeconds": remove one of the two.');
    return undefined;
  }
  if (cron === undefined && intervalSeconds === undefined) {
    const how = 'give "props" with "cron" (and "timezone") or "intervalSeconds"';
    if (id === undefined) {
      report('error', path, `This timer does not say when it fires: ${how}.`);
      return undefined;
    }
    report('info', path, `This timer needs setup, and never fires until then: ${how}.`);
    return { type: 'unknown', id };
  }
  const schedule = { cron, timezone, intervalSeconds };
  const problem = checkSchedule(schedule);
  if (problem !== undefined) {
    report('error', [...path, cron === undefined ? 'intervalSeconds' : 'cron'], problem);
    return undefined;
  }
  const warning = scheduleWarning(schedule);
  if (warning !== undefined) report('warning', path, warning);
  if (timezone !== undefined && cron === undefined) {
    report('warning', [...path, 'timezone'], '"timezone" has no effect without "cron".', true);
  }
  return {
    type: 'timer',
    ...(id !== undefined && { id }),
    ...(cron !== undefined && { cron }),
    ...(timezone !== undefined && { timezone }),
    ...(intervalSeconds !== undefined && { intervalSeconds }),
  };
}

function readListener(
  { emitter, event_name: eventName }: z.output<typeof emitterProps>,
  id: string | undefined,
  path: Path,
  report: Report,
): TriggerDefinition | undefined {
  const emitterId = emitter ?? (id !== undefined && /^(?:dc|p)_/.test(id) ? id : undefined);
  if (emitterId === undefined) {
    const how =
      'give "props" with "emitter": the id or name of a source, or the id of a workflow (p_…)';
    if (id === undefined) {
      report('error', path, `This trigger does not say what it listens to: ${how}.`);
      return undefined;
    }
    report('info', path, `This subscription needs setup, and never fires until then: ${how}.`);
    return { type: 'unknown', id };
  }
  return {
    type: emitterId.startsWith('p_') ? 'workflow' : 'source',
    ...(id !== undefined && { id }),
    emitterId,
    ...(eventName !== undefined && { eventName }),
  };
}
