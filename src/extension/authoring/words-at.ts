import {
  choicesOfPropKey,
  componentKeys,
  componentTypeDocs,
  hookDocs,
  propKeys,
  propTypeDocs,
  scheduleDocs,
  strategyDocs,
} from '../../protocol/vocabulary.ts';
import { type Definition, textOf } from './definition.ts';
import type { LooseObject } from './loose-object.ts';
import type { Place } from './place.ts';

/** The words that have a meaning at a place, with their sentences. */
export interface Words {
  /** What the words are, for people. */
  readonly what:
    | 'key of a component'
    | 'hook'
    | 'key of a prop'
    | 'key of a schedule'
    | 'prop type'
    | 'component type'
    | 'dedupe strategy'
    | 'value';
  readonly docs: Readonly<Record<string, string>>;
}

/**
 * @param isFitting only words that fit their neighbors, as completions offer them; otherwise every word of the place,
 * as hovers explain them
 */
export function wordsAt(
  text: string,
  { kind }: Pick<Definition, 'kind'>,
  { at, path, owners }: Pick<Place, 'at' | 'path' | 'owners'>,
  isFitting = false,
): Words | undefined {
  const [first, second, third] = path;
  const owner = owners.at(-1) ?? owners[0];
  const isProps = first === 'props' || first === 'propDefinitions';
  if (at === 'key') {
    if (path.length === 0) return componentWords(isFitting ? kind : undefined);
    if (path.length === 1 && first === 'hooks') return { what: 'hook', docs: hookDocs };
    if (path.length === 2 && isProps) return propWords(isFitting ? text : undefined, owner);
    const isSchedule = path.length === 3 && isProps && ['default', 'static'].includes(third ?? '');
    const prop = owners.at(-2);
    const isTimer = prop !== undefined && textOf(text, prop, 'type') === '$.interface.timer';
    return isSchedule && isTimer ? { what: 'key of a schedule', docs: scheduleDocs } : undefined;
  }
  if (path.length === 1 && first === 'dedupe') {
    return { what: 'dedupe strategy', docs: strategyDocs };
  }
  if (path.length === 1 && first === 'type') {
    return { what: 'component type', docs: componentTypeDocs };
  }
  if (!isProps || second === undefined) return undefined;
  if (path.length === 2 || (path.length === 3 && third === 'type')) {
    return { what: 'prop type', docs: propTypeDocs };
  }
  const choices = path.length === 3 ? choicesOfPropKey[third ?? ''] : undefined;
  if (choices === undefined) return undefined;
  return { what: 'value', docs: Object.fromEntries(choices.map((choice) => [choice, ''])) };
}

/** The words of every kind if the kind is undefined. */
function componentWords(kind: Definition['kind']): Words {
  const fitting = Object.entries(componentKeys).filter(
    ([, { kinds }]) => kind === undefined || kinds.some((one) => one === kind),
  );
  const docs = Object.fromEntries(fitting.map(([name, { doc }]) => [name, doc]));
  return { what: 'key of a component', docs };
}

/** @param text used to find the type; every word without it, and if the type is unknown */
function propWords(text: string | undefined, owner: LooseObject): Words {
  const type = text === undefined ? undefined : textOf(text, owner, 'type');
  const isReused = owner.members.some(({ name }) => name === 'propDefinition');
  const fitting = Object.entries(propKeys).filter(([, { types, isReusable }]) => {
    if (text === undefined) return true;
    if (type !== undefined && Object.hasOwn(propTypeDocs, type)) {
      return types.some((one) => one === type) || (isReused && isReusable);
    }
    return isReusable;
  });
  const docs = Object.fromEntries(fitting.map(([name, { doc }]) => [name, doc]));
  return { what: 'key of a prop', docs };
}
