import type { InspectorAction, PageMessage } from '../../webview/inspector/messages.ts';

const actions: Readonly<Record<InspectorAction, true>> = {
  newer: true,
  older: true,
  openJson: true,
  compare: true,
  showRun: true,
  replay: true,
  debug: true,
  failedRuns: true,
  copyCurl: true,
};

/**
 * Checks what a page sent. The page shows what anybody may have sent to an endpoint, so it is not
 * trusted.
 * @returns undefined for anything that is not a message of ours
 */
export function parsePageMessage(sent: unknown): PageMessage | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const { t, action, text, id, at } = sent as Readonly<Record<string, unknown>>;
  if (t === 'ready') return { t };
  if (t === 'copy' && typeof text === 'string') return { t, text };
  if (t === 'redeliver' && typeof id === 'string') return { t, id };
  if (t === 'openFrame' && typeof at === 'number') return { t, at };
  if (t === 'do' && typeof action === 'string' && Object.hasOwn(actions, action)) {
    return { t, action: action as InspectorAction };
  }
  return undefined;
}

/** The event an inspector shows: enough to show it again after a reload of the window. */
export interface InspectorSubject {
  /** Key of the runtime. */
  readonly runtime: string;
  readonly emitterId: string;
  readonly eventId: string;
}

/** Reads a subject that a page kept; undefined when it is not one. */
export function parseSubject(kept: unknown): InspectorSubject | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { runtime, emitterId, eventId } = kept as Record<string, unknown>;
  if (typeof runtime !== 'string' || typeof emitterId !== 'string') return undefined;
  return typeof eventId === 'string' ? { runtime, emitterId, eventId } : undefined;
}
