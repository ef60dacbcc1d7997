import type { ConfigurableProp } from '../../protocol/definition.ts';
import type { PageMessage } from './messages.ts';
import type { FormState } from './state.ts';

/** What the parts of the page share: the state, and the way to the host. */
export interface Page {
  readonly state: FormState;
  /** The page shows the new state before the next thing happens. */
  update(change: (state: FormState) => FormState): void;
  post(message: PageMessage): void;
  /** A number for a question whose answer is to be recognised. */
  nextRequest(): number;
  /** Once the present state is shown. */
  focus(selector: string): void;
  /** Scrolls to something, once the present state is shown. */
  reveal(selector: string): void;
}

/** Ids of the elements of one prop; by position, as a name may hold anything. */
export function idOf(state: FormState, prop: ConfigurableProp): string {
  return `prop-${state.props.indexOf(prop)}`;
}
