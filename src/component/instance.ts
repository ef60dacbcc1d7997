/** Types of `this` inside a component (P2, P3). */
import type { AppProp } from './props.ts';
import type { DataStore, Dir, HttpRequest, SqlQuery } from './services.ts';

/** A key-value store; values go through JSON. */
export interface Db {
  /** A copy of what was set, or undefined. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a stored value has the type its author knows
  get(key: string): any;
  set(key: string, value: unknown): void;
}

export interface HttpInterface {
  /** URL of the endpoint. */
  readonly endpoint: string;
  /** Answers the request; in `run` only, and with `customResponse: true`. */
  respond(response: HttpResponse): void;
}

export interface HttpResponse {
  /** 100–599; 200 unless given. */
  status?: number;
  /** Several cookies are a list at `set-cookie`. */
  headers?: Record<string, string | string[]>;
  body?: string | object | Uint8Array;
}

export interface TimerInterface {
  readonly type: '$.interface.timer';
  readonly intervalSeconds?: number;
  readonly cron?: string;
}

/** The request that ran a source. */
export interface HttpEvent {
  readonly method: string;
  /** Path after the endpoint's URL. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As text. */
  readonly bodyRaw: string;
  /** The bytes as they were received; only where `bodyRaw` as UTF-8 is not just them. */
  readonly bodyBase64?: string;
  /** Parsed when it is JSON or a form. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a caller sends anything
  readonly body: any;
  readonly url: string;
  readonly client_ip: string;
}

/** The tick that ran a source. */
export interface TimerEvent {
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly interval_seconds?: number;
  readonly cron?: string;
}

export type DedupeStrategy = 'unique' | 'greatest' | 'last';

/** Second argument of `this.$emit`. */
export interface EmitMetadata {
  /** Identifies the event; dedupe uses it. */
  id?: string | number;
  /** Channel; the default one unless given. */
  name?: string;
  /** One line that people see. */
  summary?: string;
  /** Epoch milliseconds: events of a run come out oldest first. */
  ts?: number;
  /** Epoch milliseconds: until then the event waits, and listeners get it when that time has come. */
  delivery_ts?: number;
}

/** A dedupe strategy makes the id required: without one it would silently do nothing. */
export type EmitFunction<Strategy> = [Strategy] extends [DedupeStrategy]
  ? (event: unknown, metadata: EmitMetadata & { id: string | number }) => void
  : (event: unknown, metadata?: EmitMetadata) => void;

/** An app as a component sees it: its methods, and the credentials of the connected account. */
export type AppInstance<App> = {
  readonly $auth: Readonly<Record<string, string>>;
} & MethodsOf<App>;

type MethodsOf<App> = App extends { methods?: infer M }
  ? M extends object
    ? M
    : unknown
  : unknown;

/** The values of the props, by name. */
export type Values<P> = { -readonly [Name in keyof P]: ValueOf<P[Name]> };

type ValueOf<D> = D extends string
  ? ValueOfType<D>
  : D extends AppProp
    ? AppInstance<D> | Unset<D>
    : D extends { propDefinition: readonly [infer App, infer Name, ...unknown[]] }
      ? ValueOf<Overridden<DefinitionIn<App, Name>, D>>
      : D extends { type: infer Type }
        ? (D extends { withLabel: true } ? Labelled<Type> : ValueOfType<Type>) | Unset<D>
        : never;

type Unset<D> = D extends { optional: true } ? undefined : never;

type DefinitionIn<App, Name> = App extends { propDefinitions: infer Definitions }
  ? Name extends keyof Definitions
    ? Definitions[Name]
    : never
  : never;

/** The inherited keys of a `propDefinition`, overridden by the prop's own keys (P5.1). */
type Overridden<Base, Over> = Base extends string
  ? { type: Base } & Omit<Over, 'propDefinition' | 'type'>
  : Omit<Base, keyof Over> & Omit<Over, 'propDefinition'>;

type ValueOfType<Type> = Type extends `${infer Item}[]`
  ? ValueOfType<Item>[]
  : Type extends keyof ValueByType
    ? ValueByType[Type]
    : unknown;

type Labelled<Type> = Type extends `${infer Item}[]`
  ? Labelled<Item>[]
  : { label: string; value: ValueOfType<Type> };

interface ValueByType {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  object: Record<string, unknown>;
  any: unknown;
  alert: undefined;
  '$.service.db': Db;
  '$.interface.http': HttpInterface;
  '$.interface.timer': TimerInterface;
  '$.interface.apphook': undefined;
  data_store: DataStore;
  http_request: HttpRequest;
  sql: SqlQuery;
  dir: Dir;
}

/** The argument of `run(event)`, by the interfaces of the source; any value if it has none. */
export type EventOf<P> = EventOfType<TypeOf<P[keyof P]>>;

type TypeOf<D> = D extends string ? D : D extends { type: infer Type } ? Type : never;

type EventOfType<Type> =
  Extract<Type, `$.interface.${string}`> extends infer Interface
    ? [Interface] extends [never]
      ? // oxlint-disable-next-line typescript/no-explicit-any -- whatever an emitter emits
        any
      : Interface extends '$.interface.http'
        ? HttpEvent
        : Interface extends '$.interface.timer'
          ? TimerEvent
          : // oxlint-disable-next-line typescript/no-explicit-any -- whatever the app sends
            any
    : never;
