/** The props a component declares (P3). */

/** Keys that every prop a person fills in may have. */
interface InputProp<Value, Item = Value> {
  /** Shown instead of the prop's name. */
  label?: string;
  /** Shown in the form, as Markdown. */
  description?: string;
  /** May be left out: `this.<prop>` is then undefined. */
  optional?: boolean;
  /** Used when no value is given, for optional props as well. */
  default?: Value;
  /** The options to choose from, or a function that returns them. */
  options?: readonly (Item | LabelledOption)[] | OptionsFunction;
  /** The text typed into the search box reaches `options()` as `query`. */
  useQuery?: boolean;
  /** Keeps `{label, value}` instead of the value alone. */
  withLabel?: boolean;
  /** Choosing a value calls `additionalProps()`. */
  reloadProps?: boolean;
  hidden?: boolean;
  disabled?: boolean;
}

export interface LabelledOption {
  label: string;
  value: unknown;
}

/**
 * Finds out what to choose from. `this` is the app when the definition is in an app file, else the
 * component; TypeScript cannot infer it from an object that is not complete at this point.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type OptionsFunction = (this: any, context: OptionsContext) => unknown;

/** The arguments of `options()`, besides the input values of a `propDefinition`. */
export interface OptionsContext {
  /** 0, then one more per "load more". */
  page: number;
  /** `{}` at first, then the `context` that was returned before. */
  // oxlint-disable-next-line typescript/no-explicit-any -- it is whatever options() returned
  prevContext: any;
  query?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a propDefinition hands over
  [inputValue: string]: any;
}

interface StringProp extends InputProp<string> {
  type: 'string';
  /** Masked when typed, encrypted at rest, never shown again. */
  secret?: boolean;
  format?: 'file-ref';
}

interface StringsProp extends InputProp<readonly string[], string> {
  type: 'string[]';
  secret?: boolean;
  format?: 'file-ref';
}

interface IntegerProp extends InputProp<number> {
  type: 'integer' | 'number';
  min?: number;
  max?: number;
}

interface IntegersProp extends InputProp<readonly number[], number> {
  type: 'integer[]' | 'number[]';
  min?: number;
  max?: number;
}

interface BooleanProp extends InputProp<boolean> {
  type: 'boolean';
}

interface BooleansProp extends InputProp<readonly boolean[], boolean> {
  type: 'boolean[]';
}

interface ObjectProp extends InputProp<Readonly<Record<string, unknown>>> {
  type: 'object';
}

interface AnyProp extends InputProp<unknown> {
  type: 'any';
}

/** Gives the source an endpoint; requests to it run the source. */
interface HttpProp {
  type: '$.interface.http';
  label?: string;
  description?: string;
  /** The source answers by `this.<prop>.respond()`; otherwise the caller gets 200 at once. */
  customResponse?: boolean;
}

/** Runs the source on a schedule. */
interface TimerProp {
  type: '$.interface.timer';
  label?: string;
  description?: string;
  default?: Schedule;
  /** A value that cannot be changed; nobody is asked for it. */
  static?: Schedule;
  hidden?: boolean;
}

export type Schedule =
  | { intervalSeconds: number }
  /** Five fields, UTC unless a time zone is given. */
  | { cron: string; timezone?: string };

/** A store for a few values that outlive the run. */
interface DbProp {
  type: '$.service.db';
}

/** A note among the fields of the form. */
interface AlertProp {
  type: 'alert';
  alertType?: 'info' | 'neutral' | 'warning' | 'error';
  /** The note, as Markdown. */
  content: string;
  hidden?: boolean;
}

/** A store that actions share: `get`, `set` and so on, all asynchronous. */
interface DataStoreProp {
  type: 'data_store';
  label?: string;
  description?: string;
  optional?: boolean;
}

/** A request that a person puts together; `this.<prop>.execute()` sends it. */
interface HttpRequestProp {
  type: 'http_request';
  label?: string;
  description?: string;
  optional?: boolean;
  default?: object;
}

/** A query that a person writes; `auth.app` is the name of the app prop it is for. */
interface SqlProp {
  type: 'sql';
  auth: { app: string };
  label?: string;
  description?: string;
  hidden?: boolean;
}

/** A folder of the component's own for files. */
interface DirProp {
  type: 'dir';
  accessMode?: 'read' | 'write' | 'read-write';
  sync?: boolean;
  optional?: boolean;
}

/** Events that an app sends, where its definition says how; else they are given by hand. */
interface ApphookProp {
  type: '$.interface.apphook';
  /** Name of the app prop. */
  appProp: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- `this` is the component, see OptionsFunction
  eventNames?: readonly string[] | ((this: any) => unknown);
  static?: readonly string[];
  remote?: boolean;
}

/** An app whose account is connected; `this.<prop>.$auth` has its credentials. */
export interface AppProp {
  type: 'app';
  /** The app's slug. */
  app: string;
  label?: string;
  description?: string;
  optional?: boolean;
  propDefinitions?: object;
  methods?: object;
}

/** Reuses a prop of an app file; other keys override it one by one. */
export interface ReusedProp extends Omit<InputProp<unknown>, 'options'> {
  propDefinition:
    | readonly [app: AppProp, name: string]
    | readonly [app: AppProp, name: string, inputValues: object];
  type?: InputType;
  options?: readonly unknown[] | OptionsFunction;
  min?: number;
  max?: number;
  secret?: boolean;
}

type PropObject =
  | StringProp
  | StringsProp
  | IntegerProp
  | IntegersProp
  | BooleanProp
  | BooleansProp
  | ObjectProp
  | AnyProp
  | HttpProp
  | TimerProp
  | DbProp
  | AlertProp
  | DataStoreProp
  | HttpRequestProp
  | SqlProp
  | DirProp
  | ApphookProp
  | AppProp;

export type PropType = PropObject['type'];
type InputType = Exclude<PropType, `$.${string}` | 'alert' | 'app' | 'dir'>;

/** A prop: its definition, or only its type if nothing else is needed. */
export type Prop = PropObject | ReusedProp | PropType;
export type Props = Readonly<Record<string, Prop>>;

/** The same props, with an error for every unknown key, so that typing errors are found at once. */
export type Exact<P> = { readonly [Name in keyof P]: ExactProp<P[Name]> };

type ExactProp<D> = D extends AppProp | string
  ? D
  : D extends { propDefinition: readonly [infer App, infer Name, ...unknown[]] }
    ? App extends { propDefinitions: infer Definitions }
      ? Name extends keyof Definitions
        ? OnlyKeysOf<D, ReusedProp>
        : never
      : never
    : D extends { type: infer Type }
      ? OnlyKeysOf<D, Extract<PropObject, { type: Type }> | OfTypes<Type>>
      : D;

/** The definition that lists a type among several (`integer` beside `number`). */
type OfTypes<Type> = PropObject extends infer Each
  ? Each extends { type: infer Types }
    ? Type extends Types
      ? Each
      : never
    : never
  : never;

type OnlyKeysOf<D, Shape> = {
  readonly [Key in keyof D]: Key extends KeysOf<Shape> ? D[Key] : never;
};
type KeysOf<Shape> = Shape extends unknown ? keyof Shape : never;
