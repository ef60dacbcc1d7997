/**
 * The words that a component's definition is written in, each with the sentence an editor shows for it:
 * the one list of keys, hooks, prop types and strategies. Where `src/component` has a comment for the
 * same word it is the same sentence; a unit test compares them.
 */

/** The kind of a definition (P1.1, P1.14). */
export type ComponentType = 'source' | 'action' | 'app';

interface ComponentKey {
  readonly kinds: readonly ComponentType[];
  readonly doc: string;
}

const runnable = ['source', 'action'] as const;
const source = ['source'] as const;
const app = ['app'] as const;

/** Keys of a definition (P1). Own ones beside them are legal and ignored (P1.5). */
export const componentKeys = {
  name: { kinds: runnable, doc: 'Shown in lists; made a slug on deploy.' },
  type: {
    kinds: [...runnable, ...app],
    doc: '`source`, `action` or `app`; a source when it is left out.',
  },
  app: { kinds: app, doc: "The app's slug." },
  key: { kinds: runnable, doc: 'Unique among components, `<app>-<name>` by custom.' },
  version: { kinds: runnable, doc: 'As in `0.0.1`; publishing needs it.' },
  description: { kinds: runnable, doc: 'What the component does, as Markdown.' },
  props: { kinds: runnable, doc: 'What is configured, by name: `this.<name>` has the value.' },
  propDefinitions: { kinds: app, doc: 'Props that components reuse by `propDefinition`.' },
  dedupe: {
    kinds: source,
    doc: 'Drops events whose `id` was seen: which ids are remembered is the strategy.',
  },
  hooks: { kinds: source, doc: 'Called when the source is deployed, switched on, switched off.' },
  methods: { kinds: [...runnable, ...app], doc: 'Called as `this.<method>()`.' },
  run: { kinds: runnable, doc: "Called with what triggers the source, or with an action's step." },
  additionalProps: {
    kinds: runnable,
    doc: 'Returns further props, by what is configured so far.',
  },
  sampleEmit: { kinds: source, doc: 'What an event looks like.' },
  annotations: {
    kinds: runnable,
    doc: 'Hints for machines that call the component; without effect here.',
  },
} as const satisfies Readonly<Record<string, ComponentKey>>;

/** Keys of `hooks` (P12). */
export const hookDocs = {
  deploy: 'Once, when the source is deployed.',
  activate: 'When it is deployed or updated, and when it is switched on.',
  deactivate: 'Before it is updated or deleted, and when it is switched off.',
} as const;

export const componentTypeDocs = {
  source: 'Emits events: run by its interfaces, by hand, or by another source it listens to.',
  action: 'Is run by a workflow or a person.',
  app: 'An app file: its methods, and the props that components reuse.',
} as const satisfies Readonly<Record<ComponentType, string>>;

/** The strategies of `dedupe` (P11). */
export const strategyDocs = {
  unique: 'Drops an event whose `id` is among the last 100.',
  greatest: 'Drops an event whose `id`, a number, is not greater than all before.',
  last: 'Emits only what comes after the event that was emitted last.',
} as const;

export const strategies: readonly string[] = Object.keys(strategyDocs);

/** Types of props, and what `this.<prop>` is (P3.20 to P3.32). */
export const propTypeDocs = {
  string: 'A text.',
  'string[]': 'A list of texts.',
  integer: 'A whole number.',
  'integer[]': 'A list of whole numbers.',
  number: 'A number.',
  'number[]': 'A list of numbers.',
  boolean: 'True or false.',
  'boolean[]': 'A list of true and false.',
  object: 'Keys and values, or any other JSON.',
  any: 'Any JSON.',
  app: 'An app whose account is connected; `this.<prop>.$auth` has its credentials.',
  '$.interface.http': 'Gives the source an endpoint; requests to it run the source.',
  '$.interface.timer': 'Runs the source on a schedule.',
  '$.interface.apphook':
    'Events that an app sends, where its definition says how; else they are given by hand.',
  '$.service.db': 'A store for a few values that outlive the run.',
  data_store: 'A store that actions share: `get`, `set` and so on, all asynchronous.',
  http_request: 'A request that a person puts together; `this.<prop>.execute()` sends it.',
  sql: 'A query that a person writes; `auth.app` is the name of the app prop it is for.',
  dir: "A folder of the component's own for files.",
  alert: 'A note among the fields of the form.',
  '$.discord.channel': 'The id of a Discord channel.',
  '$.airtable.baseId': 'The id of an Airtable base.',
  '$.airtable.tableId': 'The id of an Airtable table.',
  '$.airtable.viewId': 'The id of an Airtable view.',
  '$.airtable.fieldId': 'The id of an Airtable field.',
} as const;

/** Whether a type means something here; any known one may be a list (`$.discord.channel[]`). */
export function isKnownPropType(type: string): boolean {
  return (
    Object.hasOwn(propTypeDocs, type) || Object.hasOwn(propTypeDocs, type.replace(/\[\]$/, ''))
  );
}

const texts = ['string', 'string[]'] as const;
const numbers = ['integer', 'integer[]', 'number', 'number[]'] as const;
const pickers = [
  '$.discord.channel',
  '$.airtable.baseId',
  '$.airtable.tableId',
  '$.airtable.viewId',
  '$.airtable.fieldId',
] as const;
/** Props that a person fills in. */
const inputs = [...texts, ...numbers, 'boolean', 'boolean[]', 'object', 'any', ...pickers] as const;
const http = ['$.interface.http'] as const;
const timer = ['$.interface.timer'] as const;
const apphook = ['$.interface.apphook'] as const;
const data = ['data_store', 'http_request'] as const;
const named = [...inputs, ...data, ...http, ...timer, 'sql', 'app'] as const;

interface PropKey {
  /** The types it goes with. */
  readonly types: readonly (keyof typeof propTypeDocs)[];
  /** Whether it may be beside a `propDefinition` without a type. */
  readonly isReusable: boolean;
  readonly doc: string;
}

/** Keys of a prop (P3.3 to P3.12). Others beside them are legal, and kept as data (P3.12). */
export const propKeys = {
  type: {
    types: [...named, ...apphook, '$.service.db', 'dir', 'alert'],
    isReusable: true,
    doc: 'What the prop is: a kind of value that a person gives, an interface or a service.',
  },
  propDefinition: {
    types: [],
    isReusable: true,
    doc: 'Reuses a prop of an app file, `[app, name]`; other keys override it one by one.',
  },
  app: { types: ['app'], isReusable: false, doc: "The app's slug." },
  label: { types: named, isReusable: true, doc: "Shown instead of the prop's name." },
  description: { types: named, isReusable: true, doc: 'Shown in the form, as Markdown.' },
  optional: {
    types: [...inputs, ...data, 'dir', 'app'],
    isReusable: true,
    doc: 'May be left out: `this.<prop>` is then undefined.',
  },
  default: {
    types: [...inputs, ...timer, 'http_request'],
    isReusable: true,
    doc: 'Used when no value is given, for optional props as well.',
  },
  options: {
    types: inputs,
    isReusable: true,
    doc: 'The options to choose from, or a function that returns them.',
  },
  useQuery: {
    types: inputs,
    isReusable: true,
    doc: 'The text typed into the search box reaches `options()` as `query`.',
  },
  withLabel: {
    types: inputs,
    isReusable: true,
    doc: 'Keeps `{label, value}` instead of the value alone.',
  },
  reloadProps: {
    types: inputs,
    isReusable: true,
    doc: 'Choosing a value calls `additionalProps()`.',
  },
  hidden: {
    types: [...inputs, ...timer, 'alert', 'sql'],
    isReusable: true,
    doc: 'Not shown, and not required.',
  },
  disabled: { types: inputs, isReusable: true, doc: 'Shown, but not asked for and not required.' },
  secret: {
    types: texts,
    isReusable: true,
    doc: 'Masked when typed, encrypted at rest, never shown again.',
  },
  format: {
    types: texts,
    isReusable: false,
    doc: '`file-ref`: the value is a path or a URL of a file.',
  },
  min: { types: numbers, isReusable: true, doc: 'The smallest value that is taken.' },
  max: { types: numbers, isReusable: true, doc: 'The greatest value that is taken.' },
  customResponse: {
    types: http,
    isReusable: false,
    doc: 'The source answers by `this.<prop>.respond()`; otherwise the caller gets 200 at once.',
  },
  static: {
    types: [...timer, ...apphook],
    isReusable: false,
    doc: 'A value that cannot be changed; nobody is asked for it.',
  },
  alertType: {
    types: ['alert'],
    isReusable: false,
    doc: 'How the note looks: `info`, `neutral`, `warning` or `error`.',
  },
  content: { types: ['alert'], isReusable: false, doc: 'The note, as Markdown.' },
  auth: { types: ['sql'], isReusable: false, doc: '`{app}`: name of the app prop it is for.' },
  accessMode: {
    types: ['dir'],
    isReusable: false,
    doc: '`read`, `write` or `read-write`; without effect here.',
  },
  sync: { types: ['dir'], isReusable: false, doc: 'Without effect here.' },
  appProp: { types: apphook, isReusable: false, doc: 'Name of the app prop.' },
  eventNames: {
    types: apphook,
    isReusable: false,
    doc: 'The events of the app that trigger the source, or a function that says which.',
  },
  remote: { types: apphook, isReusable: false, doc: 'Without effect here.' },
  propDefinitions: {
    types: ['app'],
    isReusable: false,
    doc: 'Props that components reuse by `propDefinition`.',
  },
  methods: { types: ['app'], isReusable: false, doc: 'Called as `this.<prop>.<method>()`.' },
} as const satisfies Readonly<Record<string, PropKey>>;

/** Values of keys of a prop that are one of a few. */
export const choicesOfPropKey: Readonly<Record<string, readonly string[]>> = {
  alertType: ['info', 'neutral', 'warning', 'error'],
  accessMode: ['read', 'write', 'read-write'],
  format: ['file-ref'],
};

/** Keys of a timer's `default` and `static` (P3.25). */
export const scheduleDocs = {
  intervalSeconds: 'Seconds from one tick to the next.',
  cron: 'Five fields, UTC unless a time zone is given.',
  timezone: 'As in `Europe/Berlin`.',
} as const;
