import type { ConfigurableProp } from '../../protocol/definition.ts';
import type { PageMessage } from './messages.ts';
import { firstState, type FormState } from './state.ts';

export interface PageOptions {
  /** Where elements that are to be focused are looked for. */
  readonly root?: () => ParentNode;
  /** In front of the ids of controls, where there are several forms. */
  readonly prefix?: string;
}

/** What the parts of the page share: the state, and the way to the host. */
export interface Page {
  readonly state: FormState;
  /** The new state is rendered at the end of the turn. */
  update(change: (state: FormState) => FormState): void;
  post(message: PageMessage): void;
  /** A number by which the answer to a request is recognised. */
  nextRequest(): number;
  /** Focuses an element once the present state is rendered. */
  focus(selector: string): void;
  /** Scrolls to an element once the present state is rendered. */
  reveal(selector: string): void;
}

/**
 * @param show renders a state; called once for all changes of a turn
 * @param post sends a message to the host
 */
export function createPage(
  show: (state: FormState) => void,
  post: (message: PageMessage) => void,
  { root = () => document, prefix = '' }: PageOptions = {},
): Page {
  let state: FormState = { ...firstState, prefix };
  let requests = 0;
  let isScheduled = false;
  let afterwards: { readonly selector: string; act(target: HTMLElement): void } | undefined;

  const render = (): void => {
    isScheduled = false;
    show(state);
    const next = afterwards;
    afterwards = undefined;
    const target = next === undefined ? null : root().querySelector<HTMLElement>(next.selector);
    if (target !== null) next?.act(target);
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(render);
  };
  const then = (selector: string, act: (target: HTMLElement) => void): void => {
    afterwards = { selector, act };
    schedule();
  };
  return {
    get state() {
      return state;
    },
    update(change) {
      const next = change(state);
      if (next === state) return;
      state = next;
      schedule();
    },
    post,
    nextRequest: () => ++requests,
    focus: (selector) =>
      then(selector, (target) => {
        target.focus();
        target.scrollIntoView({ block: 'nearest' });
      }),
    reveal: (selector) => then(selector, (target) => target.scrollIntoView({ block: 'nearest' })),
  };
}

/** The id of a prop's control; by position, because a name may contain anything. */
export function idOf(state: FormState, prop: ConfigurableProp): string {
  return `${state.prefix}prop-${state.props.indexOf(prop)}`;
}
