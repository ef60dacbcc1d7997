import { firstState, type FormState } from './state.ts';
import type { Page } from './page.ts';
import type { PageMessage } from './messages.ts';

/**
 * @param show renders a state; called once for all changes of one turn
 * @param post sends a message to the host
 */
export function createPage(
  show: (state: FormState) => void,
  post: (message: PageMessage) => void,
): Page {
  let state = firstState;
  let requests = 0;
  let waiting = false;
  let afterwards: ((target: HTMLElement) => void) | undefined;
  let selector = '';

  const render = (): void => {
    waiting = false;
    show(state);
    const act = afterwards;
    afterwards = undefined;
    const target = act === undefined ? null : document.querySelector<HTMLElement>(selector);
    if (target !== null) act?.(target);
  };
  const schedule = (): void => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(render);
  };
  const then = (wanted: string, act: (target: HTMLElement) => void): void => {
    selector = wanted;
    afterwards = act;
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
    focus: (wanted) =>
      then(wanted, (target) => {
        target.focus();
        target.scrollIntoView({ block: 'nearest' });
      }),
    reveal: (wanted) => then(wanted, (target) => target.scrollIntoView({ block: 'nearest' })),
  };
}
