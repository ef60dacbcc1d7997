import type { ComponentDefinition, ConfigurableProp } from '../../protocol/definition.ts';
import { type ErrorDetail, WeirError } from '../../protocol/errors.ts';
import { readTimer } from '../../protocol/effective-props.ts';
import { isKnownPropType, strategies } from '../../protocol/vocabulary.ts';
import { scheduleWarning } from '../events/schedules/schedule.ts';

/** A definition that passed the check, and what does not keep it from being deployed. */
export interface CheckedDefinition {
  readonly definition: ComponentDefinition;
  /** Sentences; the deploy continues. */
  readonly warnings: readonly string[];
}

/**
 * Checks an evaluated definition by itself, before any value is configured.
 *
 * @throws WeirError `bad_component` with one sentence per thing that cannot work
 */
export function checkDefinition(definition: ComponentDefinition): CheckedDefinition {
  const errors = [...dedupeErrors(definition), ...definition.props.flatMap(propErrors)];
  if (errors.length > 0) {
    throw new WeirError('bad_component', errors.map(({ message }) => message).join(' '), errors);
  }
  const warnings = [
    ...componentWarnings(definition),
    ...definition.props.flatMap((prop) => propWarnings(prop, definition)),
  ];
  return { definition, warnings };
}

/** Some published actions have a strategy by mistake; it means nothing there (P1.11). */
function dedupeErrors({ type, dedupe }: ComponentDefinition): ErrorDetail[] {
  if (type !== 'source' || dedupe === null || strategies.includes(dedupe)) return [];
  return [{ message: `dedupe: "${dedupe}" is none of ${strategies.join(', ')}.` }];
}

/** Names that mean something else on every object, or on `this` of a component. */
const reservedNames = ['__proto__', 'constructor', 'prototype', '$emit', '$auth'];

/** Reasons why a prop cannot be used, whether the file declares it or `additionalProps` adds it (P3.14). */
export function propErrors({ name, type, secret }: ConfigurableProp): ErrorDetail[] {
  if (name === '') return [{ prop: name, message: 'A prop has an empty name; give it one.' }];
  if (reservedNames.includes(name)) {
    return [{ prop: name, message: `A prop cannot be named "${name}"; rename it.` }];
  }
  if (secret === true && !['string', 'string[]'].includes(type)) {
    return [{ prop: name, message: `${name}: only a string can be secret, not "${type}".` }];
  }
  return [];
}

function componentWarnings(definition: ComponentDefinition): string[] {
  const { type, name, dedupe, hooks, hasRun, hasAdditionalProps, props } = definition;
  const warnings: string[] = [];
  if (name === '') warnings.push("The component has no name; its file's name is used.");
  if (type === 'app') return warnings;
  if (type === 'action') {
    if (!hasRun) warnings.push('The action has no run(): running it does nothing.');
    if (dedupe !== null) warnings.push(`dedupe: "${dedupe}" is ignored in an action.`);
    if (hooks.length > 0) warnings.push(`An action has no hooks: ${hooks.join(', ')} never run.`);
    return warnings;
  }
  if (!hasRun) warnings.push('The source has no run(): it emits what triggers it, as it comes.');
  if (!hasAdditionalProps && !props.some(({ type }) => type.startsWith('$.interface.'))) {
    warnings.push(
      'The source has no timer and no HTTP interface: it runs by hand or when another source it listens to emits.',
    );
  }
  return warnings;
}

function propWarnings(prop: ConfigurableProp, { type: kind }: ComponentDefinition): string[] {
  const { name, type, min, max } = prop;
  if (!isKnownPropType(type)) {
    return [`${name}: "${type}" is not a known prop type; its value is passed on as it is.`];
  }
  if (kind === 'action' && type.startsWith('$.interface.')) {
    return [`${name}: an action has no interfaces; nothing triggers this one.`];
  }
  if (min !== undefined && max !== undefined && min > max) {
    return [`${name}: min ${min} is above max ${max}; no value fits.`];
  }
  return type === '$.interface.timer' ? timerWarnings(prop) : [];
}

function timerWarnings({ name, ...prop }: ConfigurableProp): string[] {
  if (hasTwoSchedules(prop.static ?? prop.default)) {
    return [`${name}: both cron and intervalSeconds are given; cron is used.`];
  }
  const schedule = readTimer(prop.static ?? prop.default);
  const warning = schedule && scheduleWarning(schedule);
  return warning === undefined ? [] : [`${name}: ${warning}`];
}

function hasTwoSchedules(schedule: unknown): boolean {
  return (
    typeof schedule === 'object' &&
    schedule !== null &&
    'cron' in schedule &&
    'intervalSeconds' in schedule
  );
}
