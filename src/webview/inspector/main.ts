import { render } from 'lit-html';
import { connectHost } from '../shared/vscode-api.ts';
import type { HostMessage, PageMessage, PageState } from './messages.ts';
import { firstState, withMessage, type InspectorState } from './state.ts';
import { inspectorView } from './view.ts';
import '../shared/page.css';
import './inspector.css';
import '../shared/json-tree.css';

const host = connectHost<HostMessage, PageMessage, PageState>();
let state: InspectorState = firstState;

function show(next: InspectorState): void {
  const isOtherEvent = next.event?.id !== state.event?.id;
  state = next;
  render(
    inspectorView({
      state,
      change: (part) => show({ ...state, ...part }),
      act: (action) => ask({ t: 'do', action }),
      copy: (text) => host.post({ t: 'copy', text }),
      redeliver: (id) => ask({ t: 'redeliver', id }),
      openFrame: (at) => ask({ t: 'openFrame', at }),
    }),
    document.body,
  );
  if (isOtherEvent) window.scrollTo(0, 0);
}

/** A problem is about the last request only, so the next one clears it. */
function ask(message: PageMessage): void {
  if (state.event !== null && state.problem !== null) show({ ...state, problem: null });
  host.post(message);
}

host.listen((message) => {
  if (message.t === 'event') host.keep({ subject: message.subject });
  show(withMessage(state, message));
});
window.addEventListener('keydown', ({ key, altKey }) => {
  if (altKey && key === 'ArrowUp' && state.newer) ask({ t: 'do', action: 'newer' });
  if (altKey && key === 'ArrowDown' && state.older) ask({ t: 'do', action: 'older' });
});
show(firstState);
host.post({ t: 'ready' });
