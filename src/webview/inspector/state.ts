import type { Activity, EmittedEvent } from '../../protocol/catalogue.ts';
import { startTree, type TreeState } from '../shared/json-rows.ts';
import { bodyOf } from '../shared/trigger-body.ts';
import type { HostMessage, InspectedDelivery, InspectedRun, InspectorAction } from './messages.ts';

/** What the page knows about the event it shows; null for what has not arrived yet. */
export interface InspectorState {
  readonly event: EmittedEvent | null;
  /** Name of what emitted the event. */
  readonly emitter: string;
  readonly newer: boolean;
  readonly older: boolean;
  readonly run: InspectedRun | null;
  readonly deliveries: readonly InspectedDelivery[] | null;
  readonly activity: Activity | null;
  readonly problem: string | null;
  readonly payload: TreeState;
  /** The parsed body of the request; null when it is not JSON. */
  readonly body: TreeState | null;
  readonly bodyRaw: boolean;
}

export const firstState: InspectorState = {
  event: null,
  emitter: '',
  newer: false,
  older: false,
  run: null,
  deliveries: null,
  activity: null,
  problem: null,
  payload: startTree(null),
  body: null,
  bodyRaw: false,
};

/** What the page is rendered from, and what it triggers. */
export interface InspectorContext {
  readonly state: InspectorState;
  readonly change: (part: Partial<InspectorState>) => void;
  readonly act: (action: InspectorAction) => void;
  readonly copy: (text: string) => void;
  readonly redeliver: (deliveryId: string) => void;
  /** @param at index of a link in the error's stack */
  readonly openFrame: (at: number) => void;
}

/** The state after a message from the host. */
export function withMessage(state: InspectorState, message: HostMessage): InspectorState {
  if (message.t === 'event') {
    const { event, emitter } = message;
    // The same event again: the page has come back, and unfolded parts stay so.
    const payload = event.id === state.event?.id ? state.payload : startTree(event.event);
    return { ...firstState, event, emitter, payload };
  }
  if (message.t === 'problem' && message.of === null)
    return { ...firstState, problem: message.problem };
  if (message.of !== state.event?.id) return state;
  switch (message.t) {
    case 'neighbours':
      return { ...state, newer: message.newer, older: message.older };
    case 'run':
      return { ...state, run: message.run, body: state.body ?? bodyOf(message.run.trigger) };
    case 'deliveries':
      return { ...state, deliveries: message.deliveries };
    case 'activity':
      return { ...state, activity: message.activity };
    case 'problem':
      return { ...state, problem: message.problem };
    default:
      return message satisfies never;
  }
}
