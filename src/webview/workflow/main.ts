import { render } from 'lit-html';
import { connectHost } from '../shared/vscode-api.ts';
import type { HostMessage, PageMessage, PageState } from './messages.ts';
import type { WorkflowState } from './state.ts';
import { workflowView } from './view.ts';
import '../shared/page.css';
import './workflow.css';

const host = connectHost<HostMessage, PageMessage, PageState>();
/** Where the page was scrolled to before a reload, until it is there again. */
let scrollFirst = host.kept()?.scrollTop ?? 0;
let state: WorkflowState = {
  page: null,
  problem: null,
  current: { durations: null, success: null },
};

function show(next: WorkflowState): void {
  state = next;
  render(
    workflowView({
      state,
      ask,
      walk,
      focused: (part) => show({ ...state, current: { ...state.current, ...part } }),
    }),
    document.body,
  );
}

/** A problem is about the last request only, so the next one clears it. */
function ask(message: PageMessage): void {
  if (state.page !== null && state.problem !== null) show({ ...state, problem: null });
  host.post(message);
}

function walk(event: KeyboardEvent): void {
  const { currentTarget: plot, target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(plot instanceof SVGElement) || !(target instanceof SVGElement)) return;
  const marks = [...plot.querySelectorAll('[data-mark]')];
  const at = marks.indexOf(target.closest('[data-mark]') ?? target);
  if (at === -1) return;
  if (key === 'Enter' || key === ' ') {
    event.preventDefault();
    target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    return;
  }
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: marks.length - 1 }[key];
  const mark = to === undefined ? undefined : marks[to];
  if (to !== undefined) event.preventDefault();
  if (mark instanceof SVGElement) mark.focus();
}

function keep(): void {
  host.keep({
    subject: state.page?.subject ?? null,
    scrollTop: document.documentElement.scrollTop,
  });
}

host.listen((message) => {
  if (message.t === 'problem') return show({ ...state, problem: message.problem });
  show({ ...state, page: message.page, problem: null });
  if (scrollFirst > 0) document.documentElement.scrollTop = scrollFirst;
  scrollFirst = 0;
  keep();
});
document.addEventListener('scroll', keep, { passive: true });
show(state);
host.post({ t: 'ready' });
