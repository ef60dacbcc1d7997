import type { Change, NewStep, PageMessage, Path, Values } from '../../webview/builder/messages.ts';
import { parsePageMessage as parseFormMessage } from '../forms/page-message.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks what a page sent: it shows texts of untrusted components, so it is not trusted.
 * @returns undefined for anything that is not a message of ours
 */
export function parsePageMessage(sent: unknown): PageMessage | undefined {
  if (!isFields(sent) || typeof sent['t'] !== 'string') return undefined;
  return Object.hasOwn(parsers, sent['t'])
    ? parsers[sent['t'] as PageMessage['t']](sent)
    : undefined;
}

const parsers: Readonly<Record<PageMessage['t'], (sent: Fields) => PageMessage | undefined>> = {
  ready: () => ({ t: 'ready' }),
  begin: () => ({ t: 'begin' }),
  look: ({ path }) => (path === null || isPath(path) ? { t: 'look', path } : undefined),
  closeForm: () => ({ t: 'closeForm' }),
  components: () => ({ t: 'components' }),
  search: ({ search }) => {
    if (!isFields(search)) return undefined;
    const { query, app } = search;
    return typeof query === 'string' && (app === null || typeof app === 'string')
      ? { t: 'search', search: { query, app } }
      : undefined;
  },
  change: ({ version, changes }) =>
    isNumber(version) && Array.isArray(changes) && changes.every(isChange)
      ? { t: 'change', version, changes }
      : undefined,
  insert: ({ version, at, item }) =>
    isNumber(version) && isPath(at) && isFields(item)
      ? { t: 'insert', version, at, item }
      : undefined,
  add: ({ version, at, step }) =>
    isNumber(version) && isPath(at) && isNewStep(step)
      ? { t: 'add', version, at, step }
      : undefined,
  move: ({ version, from, to }) =>
    isNumber(version) && isPath(from) && isPath(to) ? { t: 'move', version, from, to } : undefined,
  remove: ({ version, path }) =>
    isNumber(version) && isPath(path) ? { t: 'remove', version, path } : undefined,
  duplicate: ({ version, path }) =>
    isNumber(version) && isPath(path) ? { t: 'duplicate', version, path } : undefined,
  rename: ({ version, path, name }) =>
    isNumber(version) && isPath(path) && typeof name === 'string'
      ? { t: 'rename', version, path, name }
      : undefined,
  openForm: ({ form, path }) =>
    isNumber(form) && isPath(path) ? { t: 'openForm', form, path } : undefined,
  form: ({ form, message }) => {
    const checked = parseFormMessage(message);
    return isNumber(form) && checked !== undefined
      ? { t: 'form', form, message: checked }
      : undefined;
  },
  preview: ({ message }) => {
    const checked = parseFormMessage(message);
    return checked?.t === 'schedule' ? { t: 'preview', message: checked } : undefined;
  },
  do: ({ what, path }) =>
    isOneOf(what, doable) && isPath(path) ? { t: 'do', what, path } : undefined,
};

const doable = [
  'text',
  'test',
  'dry',
  'deploy',
  'run',
  'debug',
  'runStep',
  'pin',
  'code',
  'undo',
  'redo',
] as const;
const languages = ['js', 'ts', 'py', 'sh'] as const;
const controls = ['ifelse', 'switch', 'parallel', 'each'] as const;

/** Deeper ones are in no file that can be read. */
const deepest = 200;

function isPath(value: unknown): value is Path {
  return (
    Array.isArray(value) &&
    value.length <= deepest &&
    value.every((part) => typeof part === 'string' || isNumber(part))
  );
}

function isChange(value: unknown): value is Change {
  return isFields(value) && isPath(value['path']) && value['path'].length > 0;
}

function isNewStep(value: unknown): value is NewStep {
  if (!isFields(value)) return false;
  const { kind, language, control, uses, isOffer } = value;
  if (kind === 'code') return isOneOf(language, languages);
  if (kind === 'block') return isOneOf(control, controls);
  if (kind === 'component') {
    return typeof uses === 'string' && (isOffer === undefined || typeof isOffer === 'boolean');
  }
  return isOneOf(kind, ['filter', 'delay', 'suspend', 'end'] as const);
}

function isOneOf<const T extends readonly string[]>(value: unknown, words: T): value is T[number] {
  return typeof value === 'string' && words.includes(value);
}

function isFields(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
