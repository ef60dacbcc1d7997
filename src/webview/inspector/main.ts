import { render } from 'lit-html';
import { connectHost } from '../shared/vscode-api.ts';
import type { HostMessage, PageMessage, PageState } from './messages.ts';
import { nothing, told, type InspectorState } from './state.ts';
import { inspectorView } from './view.ts';
import './inspector.css';

const host = connectHost<HostMessage, PageMessage, PageState>();
let state: InspectorState = nothing;

function show(next: InspectorState): void {
  const isOther = next.event?.id !== state.event?.id;
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
  if (isOther) window.scrollTo(0, 0);
}

/** What went wrong with the last thing that was asked for is not true of the next. */
function ask(message: PageMessage): void {
  if (state.event !== null && state.problem !== null) show({ ...state, problem: null });
  host.post(message);
}

host.listen((message) => {
  if (message.t === 'event') host.keep({ subject: message.subject });
  show(told(state, message));
});
window.addEventListener('keydown', ({ key, altKey }) => {
  if (altKey && key === 'ArrowUp' && state.newer) ask({ t: 'do', action: 'newer' });
  if (altKey && key === 'ArrowDown' && state.older) ask({ t: 'do', action: 'older' });
});
show(nothing);
host.post({ t: 'ready' });
