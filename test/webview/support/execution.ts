import { parsePageMessage } from '../../../src/extension/execution/page-message.ts';
import {
  detailsOf,
  headOf,
  summariesOf,
  type Abilities,
} from '../../../src/extension/execution/page-model.ts';
import type { StaleSteps } from '../../../src/extension/workflows/stale-marks.ts';
import type { StepRun, WholeExecution } from '../../../src/protocol/catalogue.ts';
import type {
  HostMessage,
  PageMessage,
  PageState,
} from '../../../src/webview/execution/messages.ts';
import * as make from '../../unit/extension/make.ts';
import { loadPage, type PageOptions, type ShownPage } from './page.ts';

export type ShownExecution = ShownPage<PageMessage, HostMessage, PageState> & {
  /** Sends what the host would: the execution, and the details of what is selected. */
  readonly tell: (execution: WholeExecution, stale?: StaleSteps) => Promise<void>;
};

export const at = Date.UTC(2026, 10, 20, 21, 4, 5, 6);

const abilities: Abilities = {
  isTrusted: true,
  workflow: { name: 'Orders' },
  hasCode: ({ path }) => path === 'total',
};

export async function loadExecution(
  options: Partial<PageOptions<PageMessage>> = {},
): Promise<ShownExecution> {
  const shown: ShownPage<PageMessage, HostMessage, PageState> = await loadPage({
    width: 1100,
    ...options,
    bundle: 'execution',
    parse: parsePageMessage,
  });
  return {
    ...shown,
    async tell(execution, stale) {
      const head = headOf(execution, abilities, at);
      await shown.say({ t: 'execution', head, from: 0, steps: summariesOf(execution, at, stale) });
    },
  };
}

/** The page with this execution, and with the details of what it shows first. */
export async function showExecution(
  execution: WholeExecution,
  options: Partial<PageOptions<PageMessage>> = {},
): Promise<ShownExecution> {
  const shown = await loadExecution(options);
  await shown.tell(execution);
  await answerSelect(shown, execution);
  return shown;
}

/** What the host answers when a row is chosen. */
export async function answerSelect(
  shown: ShownExecution,
  execution: WholeExecution,
  stale?: StaleSteps,
): Promise<string> {
  const { key } = await shown.heard('select');
  const found = detailsOf(execution, key, abilities, stale);
  if (found === undefined) throw new Error(`There is no row ${key}.`);
  await shown.say({ t: 'details', of: key, details: found.details });
  await shown.page.locator('.details .part').first().waitFor();
  return key;
}

export function whole(part: Partial<WholeExecution>): WholeExecution {
  return {
    ...make.execution({ created_at: at, started_at: at + 3, ended_at: at + 400 }),
    request: { method: 'POST', path: '/orders' },
    trigger: {
      kind: 'http',
      prop: '0',
      method: 'POST',
      url: 'http://127.0.0.1:4567/h/hi_abc1234/orders',
      path: '/orders',
      query: '',
      headers: { 'content-type': 'application/json' },
      client_ip: '127.0.0.1',
      body: '{"id":7,"items":[{"name":"Tea","price":4.5}]}',
      body_encoding: 'utf8',
      body_bytes: 46,
      raw_body_url: null,
    },
    steps: [],
    sends: [],
    requests: [],
    response: null,
    ...part,
  };
}

/** A run of a step. @param from ms after the start of the execution */
export function ran(
  path: string,
  from: number,
  lasts: number | null,
  part: Partial<StepRun> = {},
): StepRun {
  return make.stepRun({
    path,
    namespace: path.slice(path.lastIndexOf('.') + 1),
    started_at: at + from,
    ended_at: lasts === null ? null : at + from + lasts,
    ...part,
  });
}

const error = {
  name: 'TypeError',
  message: 'Cannot read properties of undefined (reading <b>price</b>)',
  stack:
    'TypeError: Cannot read properties of undefined (reading <b>price</b>)\n    at sum (/w/orders/total/entry.ts:12:34)\n    at node:internal/timers:1:1',
};

/** A branch, a step that was tried three times, what was sent, and an answer. */
export const orders = whole({
  steps: [
    ran('total', 4, 62, {
      props: { items: [{ name: 'Tea', price: 4.5 }] },
      exports: { $summary: 'Added up 1 item', currency: 'EUR' },
      return_value: { sum: 4.5, lines: ['Tea: 4.50'] },
      summary: 'Added up 1 item',
      logs: [
        {
          id: 1,
          ts: at + 20,
          source_id: 'p_1',
          invocation_id: 'exec_1',
          kind: 'console',
          level: 'info',
          text: 'adding <i>up</i>',
        },
      ],
    }),
    ran('size.large.call', 70, 40, { status: 'failed', attempt: 1, error }),
    ran('size.large.call', 150, 45, { status: 'failed', attempt: 2, error }),
    ran('size.large.call', 240, 80, { attempt: 3, return_value: 'called' }),
    ran('size', 68, 254, { return_value: 'called' }),
    ran('answer', 326, 40, { pinned: 'default' }),
  ],
  sends: [
    {
      id: 'send_1',
      path: 'answer',
      kind: 'email',
      status: 'sent',
      sent: { to: 'ada@example.com', subject: 'Your order', text: 'It is on its way.' },
      answer: null,
      error: null,
      created_at: at + 380,
      ended_at: at + 390,
    },
  ],
  requests: [
    {
      path: 'total',
      run: 1,
      attempt: 1,
      at: at + 10,
      duration_ms: 41,
      method: 'GET',
      url: 'https://api.example.com/v1/prices?items=tea&currency=EUR',
      status: 200,
      error: null,
    },
    {
      path: 'total',
      run: 1,
      attempt: 1,
      at: at + 52,
      duration_ms: 9,
      method: 'POST',
      url: 'https://audit.example.com/<b>entries</b>',
      status: null,
      error: 'connect ECONNREFUSED 192.0.2.7:443',
    },
  ],
  response: {
    path: 'answer',
    status: 201,
    headers: { 'content-type': 'application/json' },
    body: '{"said":"Hello"}',
    body_encoding: 'utf8',
    body_bytes: 16,
  },
});

const dayMs = 86_400_000;

/** Two days from now: a page shows the present beside what it is told. */
export const resumesAt = Date.now() + 2 * dayMs;

/** It ran 300 ms, and waits to be resumed. */
export const paused = whole({
  status: 'paused',
  ended_at: null,
  steps: [
    ran('total', 4, 120, { return_value: 4.5 }),
    ran('approve', 140, 60, {
      status: 'paused',
      pause: {
        kind: 'suspend',
        resumes_at: resumesAt,
        resume_url: 'http://127.0.0.1:4567/h/resume_token/resume',
        cancel_url: 'http://127.0.0.1:4567/h/resume_token/cancel',
      },
    }),
  ],
});

/** Each of 1,000 items; one of them failed. */
export const thousand = whole({
  status: 'failed',
  error: { name: 'TypeError', message: `each_1[640].check: ${error.message}`, stack: error.stack },
  ended_at: at + 6200,
  steps: [
    ran('total', 4, 60),
    ...Array.from({ length: 1000 }, (_, index) =>
      ran(`each_1[${index}].check`, 70 + index * 6, 5, {
        return_value: index,
        ...(index === 640 && { return_value: null, status: 'failed', error }),
      }),
    ),
    ran('each_1', 68, 6010, { status: 'failed', error }),
  ],
});
