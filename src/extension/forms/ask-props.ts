import type { ConfigurableProp } from '../../protocol/definition.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { askAccount } from './ask-account.ts';
import { labelOf, parseAnswer, questionFor, type Choice } from './prop-question.ts';
import { askChoice, askText, type StepEnd, type StepFrame } from './quick-input.ts';
import { parseSchedule } from './schedule.ts';

export type ConfiguredProps = Record<string, unknown>;

/**
 * Asks for props one after the other, with a way back, what was answered kept.
 * @param current values that are configured already, offered as they are
 * @returns what was answered, or undefined when the person left
 */
export async function askProps(
  title: string,
  props: readonly ConfigurableProp[],
  current: ConfiguredProps,
  client: RuntimeClient,
): Promise<ConfiguredProps | undefined> {
  const answers: ConfiguredProps = {};
  let at = 0;
  for (;;) {
    const prop = props[at];
    if (prop === undefined) return answers;
    const frame = { title, step: at + 1, totalSteps: props.length };
    const end = await askProp(frame, prop, answers[prop.name] ?? current[prop.name], client);
    if (end === undefined) return undefined;
    if (end === 'back') {
      at = Math.max(0, at - 1);
      continue;
    }
    if (end.value !== undefined) answers[prop.name] = end.value;
    at += 1;
  }
}

async function askProp(
  frame: StepFrame,
  prop: ConfigurableProp,
  current: unknown,
  client: RuntimeClient,
): Promise<StepEnd<unknown>> {
  const question = questionFor(prop);
  if (question.kind === 'account') return askAccount(frame, question.app, client);
  if (question.kind === 'timer') return askTimer(frame, prop, current);
  if (question.kind === 'choice') return askOptions(frame, prop, question, current);
  return askTyped(frame, prop, question, current);
}

async function askTyped(
  frame: StepFrame,
  prop: ConfigurableProp,
  { secret, hint }: { readonly secret: boolean; readonly hint: string },
  current: unknown,
): Promise<StepEnd<unknown>> {
  // A secret is never shown again; leaving it empty leaves it as it is.
  const isSet = secret && current !== undefined;
  const end = await askText({
    ...frame,
    prompt: promptOf(prop),
    placeholder: isSet ? 'Leave empty to keep the present value' : hint,
    value: secret ? '' : textOf(current ?? prop.default),
    password: secret,
    problem: (text) => {
      if (isSet && text === '') return undefined;
      const answer = parseAnswer(prop, text);
      return answer.ok ? undefined : answer.problem;
    },
  });
  if (end === undefined || end === 'back') return end;
  if (isSet && end.value === '') return { value: undefined };
  const answer = parseAnswer(prop, end.value);
  return answer.ok ? { value: answer.value } : undefined;
}

async function askOptions(
  frame: StepFrame,
  prop: ConfigurableProp,
  { choices, many }: { readonly choices: readonly Choice[]; readonly many: boolean },
  current: unknown,
): Promise<StepEnd<unknown>> {
  const items = choices.map(({ label, value }) => ({
    label,
    ...(label === String(value) ? {} : { description: String(value) }),
    value,
  }));
  const chosen = many && Array.isArray(current) ? current : [current ?? prop.default];
  const end = await askChoice({
    ...frame,
    placeholder: promptOf(prop),
    items,
    many,
    selected: items.filter((item) => chosen.includes(item.value)),
  });
  if (end === undefined || end === 'back') return end;
  const values = end.value.map((item) => item.value);
  return { value: many ? values : values[0] };
}

async function askTimer(
  frame: StepFrame,
  prop: ConfigurableProp,
  current: unknown,
): Promise<StepEnd<unknown>> {
  const end = await askText({
    ...frame,
    prompt: promptOf(prop),
    placeholder: 'An interval such as 15m, or a cron expression such as 0 9 * * 1-5',
    value: scheduleText(current ?? prop.default),
    problem: (text) => {
      const schedule = parseSchedule(text);
      return typeof schedule === 'string' ? schedule : undefined;
    },
  });
  if (end === undefined || end === 'back') return end;
  return { value: parseSchedule(end.value) };
}

function promptOf(prop: ConfigurableProp): string {
  const label = labelOf(prop);
  // A prompt is one plain line; a description may be Markdown of several.
  const description = prop.description
    ?.split('\n')[0]
    ?.replaceAll(/[*`]|\[([^\]]*)\]\([^)]*\)/g, '$1');
  return description === undefined || description === '' ? label : `${label}: ${description}`;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function scheduleText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const timer = value as Record<string, unknown>;
  if (typeof timer['cron'] === 'string') return timer['cron'];
  const seconds = timer['intervalSeconds'] ?? timer['interval_seconds'];
  return typeof seconds === 'number' ? `${seconds}s` : '';
}
