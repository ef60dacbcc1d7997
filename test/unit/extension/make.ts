import type {
  Account,
  AgentCall,
  KeptActionRun,
  OfferedAction,
  Delivery,
  EmittedEvent,
  Execution,
  Invocation,
  Source,
  StepRun,
  Subscription,
  Webhook,
  Pin,
  Workflow,
} from '../../../src/protocol/catalogue.ts';

/** Resources as the runtime would give them, what a test is about left to the test. */
export function source(part: Partial<Source>): Source {
  return {
    id: 'dc_0000001',
    component_id: 'sc_0000001',
    component_key: null,
    name: 'Orders',
    name_slug: 'orders',
    active: true,
    configured_props: {},
    configurable_props: [],
    created_at: 0,
    updated_at: 0,
    path: null,
    code_hash: 'h',
    endpoint_url: null,
    next_tick_at: null,
    dedupe: null,
    last_invocation: null,
    debug: null,
    ...part,
  };
}

export function invocation(part: Partial<Invocation>): Invocation {
  return {
    id: 'inv_1',
    source_id: 'dc_0000001',
    cause: 'http',
    hook: null,
    request: null,
    status: 'succeeded',
    attempt: 1,
    replay_of: null,
    created_at: 0,
    started_at: 0,
    ended_at: 0,
    emitted_count: 0,
    dropped_count: 0,
    error: null,
    ...part,
  };
}

export function event(part: Partial<EmittedEvent>): EmittedEvent {
  return {
    id: '1-0',
    indexed_at_ms: 0,
    event: { id: 1 },
    metadata: { emit_id: 'e', name: '', emitter_id: 'dc_0000001' },
    invocation_id: 'inv_1',
    dropped: null,
    ...part,
  };
}

export function webhook(part: Partial<Webhook>): Webhook {
  return {
    id: 'wh_0000001',
    url: 'https://example.com/events',
    name: null,
    description: null,
    active: true,
    created_at: 0,
    updated_at: 0,
    ...part,
  };
}

export function subscription(part: Partial<Subscription>): Subscription {
  return {
    id: 'sub_0000001',
    emitter_id: 'dc_0000001',
    listener_id: 'wh_0000001',
    event_name: '',
    ...part,
  };
}

export function delivery(part: Partial<Delivery>): Delivery {
  return {
    id: 'del_1',
    webhook_id: 'wh_0000001',
    emitter_id: 'dc_0000001',
    event_id: '1-0',
    status: 'delivered',
    attempt_count: 1,
    next_attempt_at: null,
    created_at: 0,
    last_status: 200,
    last_error: null,
    ...part,
  };
}

/** Where the app of a source sends its events. */
export function sourceWebhook(
  part: Partial<NonNullable<Source['webhook']>> = {},
): NonNullable<Source['webhook']> {
  return {
    app: 'slack',
    account: 'apn_0000001',
    url: 'http://127.0.0.1:1/h/ah_1',
    register: 'Enter it at Slack.',
    secret_name: 'Signing Secret',
    has_secret: true,
    one_address: true,
    event_names: ['message'],
    ...part,
  };
}

export function account(part: Partial<Account>): Account {
  return {
    id: 'apn_0000001',
    name: 'Work',
    app: { id: 'acme', name: 'acme' },
    healthy: true,
    created_at: '2026-11-20T00:00:00.000Z',
    updated_at: '2026-11-20T00:00:00.000Z',
    ...part,
  };
}

export const httpTrigger: Workflow['triggers'][number] = {
  id: 'hi_1',
  type: 'http',
  endpoint_url: 'http://127.0.0.1:1/h/hi_1',
};

export function workflow(part: Partial<Workflow>): Workflow {
  return {
    id: 'p_0000001',
    name: 'Hello',
    name_slug: 'hello',
    active: true,
    deployment_id: 'd_0000001',
    path: '/w/hello',
    stream_url: 'http://127.0.0.1:1/h/sse_p_0000001_x',
    triggers: [],
    steps: [],
    debug: null,
    created_at: 0,
    updated_at: 0,
    ...part,
  };
}

export function execution(part: Partial<Execution>): Execution {
  return {
    id: 'exec_1',
    workflow_id: 'p_0000001',
    trace_id: 'trace',
    status: 'succeeded',
    reason: null,
    cause: 'http',
    request: null,
    deployment_id: 'd_0000001',
    replay_of: null,
    test: false,
    created_at: 0,
    started_at: 0,
    ended_at: 0,
    resumes_at: null,
    error: null,
    ...part,
  };
}

export function pin(part: Partial<Pin> = {}): Pin {
  return {
    step: 'greet',
    name: 'default',
    file: '/w/orders/greet/pins/default.json',
    active: true,
    known: true,
    updated_at: 0,
    ...part,
  };
}

export function stepRun(part: Partial<StepRun>): StepRun {
  return {
    namespace: 'greet',
    path: 'greet',
    run: 1,
    attempt: 1,
    status: 'succeeded',
    continued: false,
    started_at: 0,
    ended_at: 0,
    leg: 1,
    pinned: null,
    props: null,
    exports: {},
    return_value: null,
    summary: null,
    logs: [],
    error: null,
    pause: null,
    ...part,
  };
}

export function offeredAction(part: Partial<OfferedAction>): OfferedAction {
  return {
    name: 'shop-greet',
    title: 'Greet',
    description: 'Greets somebody.',
    what: '/w/greet.mjs',
    from: '/w/greet.mjs',
    live: false,
    apps: ['shop'],
    destructive: false,
    ...part,
  };
}

export function agentCall(part: Partial<AgentCall>): AgentCall {
  return {
    at: '2026-11-26T12:00:00.000Z',
    agent: 'helper 1.0.0',
    tool: 'shop-greet',
    arguments: { who: 'Ada' },
    outcome: 'answered',
    ms: 12,
    ...part,
  };
}

export function actionRun(part: Partial<KeptActionRun>): KeptActionRun {
  return {
    id: 'arun_1',
    name: 'Greet',
    key: 'shop-greet',
    version: '0.0.1',
    path: '/w/greet.mjs',
    agent: 'helper 1.0.0',
    status: 'succeeded',
    started_at: 0,
    ended_at: 12,
    error: null,
    ...part,
  };
}
