import { parsePageMessage } from '../../../src/extension/workflow-page/page-message.ts';
import { workflowPage } from '../../../src/extension/workflow-page/page-model.ts';
import type { Execution, Pin } from '../../../src/protocol/catalogue.ts';
import type {
  HostMessage,
  PageMessage,
  PageState,
} from '../../../src/webview/workflow/messages.ts';
import * as make from '../../unit/extension/make.ts';
import { loadPage, type PageOptions, type ShownPage } from './page.ts';

export type ShownWorkflow = ShownPage<PageMessage, HostMessage, PageState> & {
  /** Sends what the host would. */
  readonly tell: (executions: readonly Execution[], pins?: readonly Pin[]) => Promise<void>;
};

export const at = Date.UTC(2026, 10, 20, 21, 4, 5, 6);
const minute = 60_000;

const workflow = make.workflow({
  name: 'Orders',
  triggers: [make.httpTrigger],
  steps: ['total', 'charge'].map((namespace) => ({
    namespace,
    path: namespace,
    type: 'action',
    uses: `./${namespace}/entry.ts`,
    component_id: null,
    disabled: false,
    line: 1,
  })),
});

export async function loadWorkflow(
  options: Partial<PageOptions<PageMessage>> = {},
): Promise<ShownWorkflow> {
  const shown: ShownPage<PageMessage, HostMessage, PageState> = await loadPage({
    width: 1000,
    ...options,
    bundle: 'workflow',
    parse: parsePageMessage,
  });
  return {
    ...shown,
    async tell(executions, pins = []) {
      const parts = { runtime: '/w/.weir', workflow, executions, pins, isTrusted: true };
      const page = workflowPage({ ...parts, total: executions.length }, at);
      await shown.say({ t: 'workflow', page });
      await shown.page.getByRole('heading', { name: 'Orders' }).waitFor();
    },
  };
}

/** An execution by its number, which says when it came. */
export function one(n: number, part: Partial<Execution> = {}): Execution {
  const created_at = at - (200 - n) * minute;
  return make.execution({
    id: `exec_${n}`,
    created_at,
    started_at: created_at + 2,
    ended_at: created_at + 2 + 40 + ((n * 37) % 90),
    cause: 'http',
    request: { method: 'POST', path: '/orders' },
    ...part,
  });
}

const failed = (message: string): Partial<Execution> => ({
  status: 'failed',
  error: { name: 'TypeError', message, stack: `TypeError: ${message}` },
});

/** 140 executions, some of which failed; some go on. Newest first. */
export const busy: readonly Execution[] = [
  one(143, { status: 'queued', started_at: null, ended_at: null }),
  one(142, { status: 'paused', ended_at: null, resumes_at: at + 3_600_000 }),
  one(141, { status: 'running', ended_at: null }),
  ...Array.from({ length: 140 }, (_, index) => {
    const n = 140 - index;
    if (n % 29 === 0) return one(n, failed(`charge: card ${n} was refused <b>twice</b>`));
    if (n === 100) return one(n, failed('total: Cannot read properties of undefined'));
    return n === 77 ? one(n, { status: 'cancelled' }) : one(n);
  }),
];

export const pins: readonly Pin[] = [
  make.pin({ step: 'charge' }),
  make.pin({ step: 'total', name: 'large', active: false }),
  make.pin({ step: 'gone', active: false, known: false }),
];

export async function showWorkflow(
  executions: readonly Execution[],
  options: Partial<PageOptions<PageMessage>> & { readonly pins?: readonly Pin[] } = {},
): Promise<ShownWorkflow> {
  const shown = await loadWorkflow(options);
  await shown.tell(executions, options.pins);
  return shown;
}
