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

/** Where a file, line and column stand in a stack trace: from `start` up to `end`. */
export interface StackLink {
  readonly start: number;
  readonly end: number;
}

export interface InspectedRun extends Invocation {
  readonly logs: readonly LogLine[];
  /** Of the error's stack, in order; each can be opened. */
  readonly stackLinks: readonly StackLink[];
  /** Null when it is not kept. */
  readonly trigger: StoredTrigger | null;
}

export interface InspectedDelivery extends Delivery {
  /** Name or URL of the webhook; null when it is gone. */
  readonly webhook: string | null;
  readonly attempts: readonly Attempt[];
}

/** Host → page. What belongs to an event names it, so that an answer that comes late is dropped. */
export type HostMessage =
  | {
      readonly t: 'event';
      /** Kept by the page for a reload of the window, and not looked at. */
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
  /** One part could not be read; or, without an event, the whole. */
  | { readonly t: 'problem'; readonly of: string | null; readonly problem: string };

/** What the host does on the event that is shown. */
export type InspectorAction = 'newer' | 'older' | 'openJson' | 'compare' | 'showRun' | 'copyCurl';

/** Page → host. */
export type PageMessage =
  | { readonly t: 'ready' }
  | { readonly t: 'do'; readonly action: InspectorAction }
  | { readonly t: 'copy'; readonly text: string }
  | { readonly t: 'redeliver'; readonly id: string }
  /** Opens the code a frame of the error's stack names: the number of its link. */
  | { readonly t: 'openFrame'; readonly at: number };

/** What the page leaves with VS Code for a reload of the window. */
export interface PageState {
  readonly subject: unknown;
}
