import type { InspectorAction, PageMessage } from '../../webview/inspector/messages.ts';

const actions: Readonly<Record<InspectorAction, true>> = {
  newer: true,
  older: true,
  openJson: true,
  compare: true,
  showRun: true,
  copyCurl: true,
};

/**
 * Checks what a page sent: it shows what strangers sent to an endpoint.
 * @returns undefined for anything that is no message of ours
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
