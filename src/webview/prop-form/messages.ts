/**
 * What the prop form's page and its host in the extension say to each other. Types only: the page is a
 * bundle of its own, and the host checks every message it gets (src/extension/forms/page-message.ts).
 */
import type { AccountHealth } from '../../protocol/account-health.ts';
import type { ConfigurableProp } from '../../protocol/definition.ts';
import type { KeyForm } from '../../protocol/key-forms.ts';

/** Configured values by prop name; a secret that is set is `{secret: true}`. */
export type Values = Readonly<Record<string, unknown>>;

/** One sentence for each prop with a problem. */
export type Problems = Readonly<Record<string, string>>;

export interface FormModel {
  /** "Deploy Hello webhook" */
  readonly heading: string;
  /** What it is about, one line: the file, or the id of the source. */
  readonly about: string;
  /** Markdown by the component's author. */
  readonly description: string | null;
  /** On the button. */
  readonly verb: string;
  readonly props: readonly ConfigurableProp[];
  /** The configured values. */
  readonly values: Values;
  /** Names of the secrets the host has, stored or typed into this form before. */
  readonly secrets: readonly string[];
  /** The component computes props from values: the page requests them at once. */
  readonly dynamic: boolean;
  /** Whether values may hold expressions, as those of steps do. */
  readonly expressions?: boolean;
  /** Problems of an attempt that was made without the form. */
  readonly problems: Problems;
}

export interface Option {
  readonly label: string;
  readonly value: unknown;
}

/** Where the app of an account sends its events. */
export interface AccountWebhookChoice {
  readonly url: string;
  /** Where one enters the address, in one sentence. */
  readonly register: string;
  /** What the app calls the secret that it signs with. */
  readonly secretName: string;
  readonly hasSecret: boolean;
  /** The app takes this address only; else each source has one of its own. */
  readonly oneAddress: boolean;
}

export interface AccountChoice {
  readonly id: string;
  readonly name: string;
  /** Of one that connected by OAuth; keys that were typed in are taken to be good. */
  readonly health?: AccountHealth;
  /** All folders of the user have it. */
  readonly isShared?: boolean;
  /** When a definition says how its app sends events. */
  readonly webhook?: AccountWebhookChoice;
}

export type TimerValue =
  | { readonly intervalSeconds: number }
  | { readonly cron: string; readonly timezone?: string };

/** When a timer would tick, as computed by the runtime. */
export interface SchedulePreview {
  readonly problem: string | null;
  readonly warning: string | null;
  /** A cron expression in words. */
  readonly words: string | null;
  /** Epoch ms. */
  readonly next: readonly number[];
}

/** Host → page. */
export type HostMessage =
  /** `subject` is for the page to keep over a reload of the window ({@link PageState}); it is opaque to it. */
  | { readonly t: 'loading'; readonly subject: unknown; readonly message: string }
  | { readonly t: 'unavailable'; readonly problem: string }
  | { readonly t: 'form'; readonly subject: unknown; readonly form: FormModel }
  | {
      readonly t: 'props';
      readonly request: number;
      readonly props: readonly ConfigurableProp[] | null;
      readonly problem: string | null;
    }
  | {
      readonly t: 'options';
      readonly request: number;
      readonly prop: string;
      readonly options: readonly Option[];
      readonly more: boolean;
      readonly problem: string | null;
    }
  | {
      readonly t: 'accounts';
      readonly app: string;
      readonly accounts: readonly AccountChoice[];
      /** The one that was just added. */
      readonly added: string | null;
      readonly problem: string | null;
      /** The app has OAuth: an account can be connected in the browser. */
      readonly connects: boolean;
      /** What an account of keys is made of, where that is known beyond the prop's own `auth_keys`. */
      readonly keyForm?: KeyForm;
      /** Whether a new account is for all folders of the user, unless chosen otherwise; absent if it cannot be. */
      readonly sharing?: boolean;
      /** A definition says how the app sends events. */
      readonly sendsEvents?: boolean;
    }
  /** A connection in the browser has ended; `accounts` came before it. */
  | {
      readonly t: 'connected';
      readonly app: string;
      /** Null when it was cancelled or failed. */
      readonly account: string | null;
      readonly problem: string | null;
    }
  /** The URLs of HTTP interfaces, by prop; for a source that is not deployed yet, those it will have. */
  | {
      readonly t: 'endpoints';
      readonly subject: unknown;
      readonly urls: Readonly<Record<string, string>>;
    }
  | {
      readonly t: 'schedule';
      readonly prop: string;
      readonly request: number;
      readonly preview: SchedulePreview;
    }
  /** How far the submission is: what was done so far, and last what is being done now. */
  | { readonly t: 'progress'; readonly messages: readonly string[] }
  | {
      readonly t: 'failed';
      readonly problem: string;
      readonly problems: Problems;
      /** What the component printed. */
      readonly log: readonly string[];
    }
  | { readonly t: 'cancelled' };

/** Page → host. */
export type PageMessage =
  | { readonly t: 'ready' }
  | { readonly t: 'retry' }
  | { readonly t: 'props'; readonly request: number; readonly values: Values }
  | {
      readonly t: 'options';
      readonly request: number;
      readonly prop: string;
      readonly query: string;
      /** The page after the last one; otherwise the first. */
      readonly next: boolean;
      readonly values: Values;
    }
  | {
      readonly t: 'schedule';
      readonly request: number;
      readonly prop: string;
      readonly timer: TimerValue;
    }
  | { readonly t: 'secret'; readonly prop: string; readonly value: string }
  | {
      readonly t: 'account';
      readonly app: string;
      readonly name: string;
      readonly credentials: Readonly<Record<string, string>>;
      /** For all folders of the user; left out where there was no choice. */
      readonly isShared?: boolean;
    }
  /** Connects an account of the app in the browser: a new one, or one that is there again. */
  | { readonly t: 'connect'; readonly app: string; readonly account: string | null }
  | { readonly t: 'copyEndpoint'; readonly prop: string }
  /** The address that the app of an account sends its events to. */
  | { readonly t: 'copyWebhook'; readonly account: string }
  /** Asks for what the app of an account signs its events with; `accounts` comes when it was entered. */
  | { readonly t: 'signingSecret'; readonly account: string }
  | { readonly t: 'submit'; readonly values: Values }
  | { readonly t: 'stop' }
  | { readonly t: 'dismiss' };

/** What the page keeps over a reload of the window; never the text of a secret. */
export interface PageState {
  readonly subject: unknown;
  readonly values: Values;
}
