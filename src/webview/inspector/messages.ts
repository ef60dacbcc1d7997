/**
 * What the inspector's page and its host in the extension say to each other. Types only: the page is
 * a bundle of its own, and the host checks every message it gets (src/extension/inspector).
 */
import type {
  Activity,
  Attempt,
  Delivery,
  EmittedEvent,
  Invocation,
  LogLine,
  StoredTrigger,
} from '../../protocol/catalogue.ts';
import type { StackLink } from '../shared/output-views.ts';

export interface InspectedRun extends Invocation {
  readonly logs: readonly LogLine[];
  /** The frames of the error's stack that can be opened, in order. */
  readonly stackLinks: readonly StackLink[];
  /** Null when it was not kept. */
  readonly trigger: StoredTrigger | null;
}

export interface InspectedDelivery extends Delivery {
  /** Name or URL of the webhook; null once it was deleted. */
  readonly webhook: string | null;
  readonly attempts: readonly Attempt[];
}

/** Host → page. A message about an event names it in `of`, so that late answers can be dropped. */
export type HostMessage =
  | {
      readonly t: 'event';
      /** For the page to keep over a reload of the window; opaque to it. */
      readonly subject: unknown;
      readonly event: EmittedEvent;
      /** Name of what emitted the event. */
      readonly emitter: string;
    }
  | {
      readonly t: 'neighbours';
      readonly of: string;
      readonly newer: boolean;
      readonly older: boolean;
    }
  | { readonly t: 'run'; readonly of: string; readonly run: InspectedRun }
  | {
      readonly t: 'deliveries';
      readonly of: string;
      readonly deliveries: readonly InspectedDelivery[];
    }
  | { readonly t: 'activity'; readonly of: string; readonly activity: Activity }
  /** A part could not be read; without an event, nothing could. */
  | { readonly t: 'problem'; readonly of: string | null; readonly problem: string };

/** What the host does with the event that is shown. */
export type InspectorAction =
  | 'newer'
  | 'older'
  | 'openJson'
  | 'compare'
  | 'showRun'
  | 'replay'
  | 'debug'
  | 'failedRuns'
  | 'copyCurl';

/** Page → host. */
export type PageMessage =
  | { readonly t: 'ready' }
  | { readonly t: 'do'; readonly action: InspectorAction }
  | { readonly t: 'copy'; readonly text: string }
  | { readonly t: 'redeliver'; readonly id: string }
  /** Opens the code of a frame of the error's stack; `at` is the index of its link. */
  | { readonly t: 'openFrame'; readonly at: number };

/** What the page keeps over a reload of the window. */
export interface PageState {
  readonly subject: unknown;
}
