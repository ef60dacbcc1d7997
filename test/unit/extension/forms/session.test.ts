import { describe, expect, test } from 'vitest';
import type {
  ConnectApp,
  EnterSigningSecret,
} from '../../../../src/extension/forms/form-accounts.ts';
import {
  firstMessage,
  FormSession,
  progressWith,
} from '../../../../src/extension/forms/session.ts';
import { AccountSharing } from '../../../../src/extension/account-sharing.ts';
import type { FormTask, LoadedForm } from '../../../../src/extension/forms/task.ts';
import { WeirError } from '../../../../src/protocol/errors.ts';
import { newMemory } from '../fake-vscode/memory.ts';
import type { HostMessage } from '../../../../src/webview/prop-form/messages.ts';

type Call = { name: string; params: Record<string, unknown>; signal?: AbortSignal };
type Answers = Record<string, (call: Call) => unknown>;

const loaded: LoadedForm = {
  heading: 'Deploy X',
  about: 'x.mjs',
  description: null,
  verb: 'Deploy',
  props: [
    { name: 'slack', type: 'app', app: 'slack' },
    { name: 'token', type: 'string', secret: true },
    { name: 'channel', type: 'string', remoteOptions: true },
  ],
  values: {},
  secrets: [],
  dynamic: false,
  problems: {},
};

/** A session with a runtime that gives these answers, and everything it did. */
function open(
  answers: Answers = {},
  task: Partial<FormTask> = {},
  connect: ConnectApp = async () => undefined,
  enterSecret: EnterSigningSecret = async () => false,
) {
  const sharing = new AccountSharing(newMemory());
  const calls: Call[] = [];
  const posted: HostMessage[] = [];
  const copied: string[] = [];
  let closed = false;
  const client = {
    isRemote: false,
    async call(
      name: string,
      params: Record<string, unknown>,
      options: { signal?: AbortSignal } = {},
    ) {
      const call = { name, params, ...options };
      calls.push(call);
      const answer = answers[name];
      if (answer !== undefined) return answer(call);
      if (name === 'accounts.list') return { data: [{ id: 'apn_1', name: 'Work', healthy: true }] };
      if (name === 'apps.get') throw new WeirError('not_found', 'Nobody defines it.');
      throw new Error(`${name} was not expected`);
    },
  };
  const session = new FormSession({
    task: {
      subject: { kind: 'deploy', runtime: '/d', file: '/x.mjs' },
      folder: {} as never,
      title: 'Deploy X',
      file: '/x.mjs',
      component: { component_path: '/x.mjs' },
      client: async () => client as never,
      load: async () => loaded,
      submit: async () => undefined,
      ...task,
    },
    sharing,
    clock: { now: () => Date.parse('2020-01-01T10:00:01Z') },
    post: (message) => posted.push(message),
    connect,
    enterSecret,
    copy: (text) => copied.push(text),
    // A panel that is closed ends its session.
    close() {
      closed = true;
      session.dispose();
    },
    log: () => undefined,
  });
  const lastOf = async <T extends HostMessage['t']>(t: T) => {
    const last = () => posted.findLast((message) => message.t === t);
    await expect.poll(last).toBeDefined();
    return last() as Extract<HostMessage, { t: T }>;
  };
  return { session, sharing, calls, posted, copied, lastOf, isClosed: () => closed };
}

describe('showing', () => {
  test('reads once the page is ready, and sends it again when the page comes back', async () => {
    let loads = 0;
    const { session, posted, lastOf } = open({}, { load: async () => (loads++, loaded) });
    session.receive({ t: 'ready' });
    expect((await lastOf('form')).form).toEqual(loaded);
    expect(posted[0]).toMatchObject({ t: 'loading' });
    expect((await lastOf('accounts')).accounts).toEqual([{ id: 'apn_1', name: 'Work' }]);
    session.receive({ t: 'ready' });
    expect(posted.filter(({ t }) => t === 'form')).toHaveLength(2);
    expect(loads).toBe(1);
  });

  test('a component that cannot be read is reported, and can be tried again', async () => {
    let works = false;
    const { session, lastOf } = open(
      {},
      {
        load: async () => {
          if (works) return loaded;
          throw new WeirError('bad_component', 'x.mjs has a syntax error.');
        },
      },
    );
    session.receive({ t: 'ready' });
    expect(await lastOf('unavailable')).toEqual({
      t: 'unavailable',
      problem: 'x.mjs has a syntax error.',
    });
    works = true;
    session.receive({ t: 'retry' });
    await lastOf('form');
  });

  test('an endpoint is reserved once before the deploy, and submitted with it', async () => {
    let reserved = 0;
    const submitted: unknown[] = [];
    const { session, copied, lastOf } = open(
      {},
      {
        load: async () => ({ ...loaded, props: [{ name: 'http', type: '$.interface.http' }] }),
        reserveEndpoint: async () => {
          reserved += 1;
          return { id: `hi_${reserved}`, endpoint_url: `http://127.0.0.1:1/h/hi_${reserved}` };
        },
        submit: async (_, endpoints) => void submitted.push(endpoints),
      },
    );
    session.receive({ t: 'ready' });
    const endpoints = {
      t: 'endpoints',
      subject: { kind: 'deploy', endpoints: { http: 'hi_1' } },
      urls: { http: 'http://127.0.0.1:1/h/hi_1' },
    };
    expect(await lastOf('endpoints')).toMatchObject(endpoints);
    await session.load();
    expect(await lastOf('endpoints')).toMatchObject(endpoints);
    session.receive({ t: 'submit', values: {} });
    await expect.poll(() => submitted).toEqual([{ http: 'hi_1' }]);
    session.receive({ t: 'copyEndpoint', prop: 'http' });
    session.receive({ t: 'copyEndpoint', prop: 'nothing' });
    expect(copied).toEqual(['http://127.0.0.1:1/h/hi_1']);
  });
});

describe('options', () => {
  test('are requested with the typed secret, which the page does not have', async () => {
    const { session, calls, lastOf } = open({
      'components.configure': () => ({
        options: [{ label: 'A', value: 1 }],
        context: null,
        errors: [],
      }),
    });
    session.receive({ t: 'ready' });
    await lastOf('form');
    session.receive({ t: 'secret', prop: 'token', value: 'hush' });
    session.receive({
      t: 'options',
      request: 7,
      prop: 'channel',
      query: '',
      next: false,
      values: { token: { secret: true } },
    });
    expect(await lastOf('options')).toEqual({
      t: 'options',
      request: 7,
      prop: 'channel',
      options: [{ label: 'A', value: 1 }],
      more: true,
      problem: null,
    });
    expect(calls.find(({ name }) => name === 'components.configure')?.params).toEqual({
      component_path: '/x.mjs',
      configured_props: { token: 'hush' },
      prop_name: 'channel',
      page: 0,
    });
  });

  test('a newer request aborts the one before it', async () => {
    const { session, calls, lastOf } = open({
      'components.configure': ({ params }) =>
        params['query'] === undefined
          ? new Promise(() => undefined)
          : { options: [], context: null, errors: ['Nothing found.'] },
    });
    session.receive({ t: 'ready' });
    await lastOf('form');
    const ask = { t: 'options', prop: 'channel', next: false, values: {} } as const;
    session.receive({ ...ask, request: 1, query: '' });
    await expect.poll(() => calls.some(({ name }) => name === 'components.configure')).toBe(true);
    session.receive({ ...ask, request: 2, query: 'x' });
    expect(await lastOf('options')).toMatchObject({ request: 2, problem: 'Nothing found.' });
    expect(calls.find(({ name }) => name === 'components.configure')?.signal?.aborted).toBe(true);
  });
});

test('the props that were computed from values decide what is submitted', async () => {
  const submitted: unknown[] = [];
  const { session, lastOf } = open(
    {
      'components.props': () => ({
        dynamic_props_id: 'dyp_1',
        configurable_props: [{ name: 'extra', type: 'string', secret: true }],
        errors: [],
      }),
    },
    { submit: async (values) => void submitted.push(values) },
  );
  session.receive({ t: 'ready' });
  await lastOf('form');
  session.receive({ t: 'props', request: 3, values: {} });
  expect(await lastOf('props')).toMatchObject({
    request: 3,
    props: [{ name: 'extra' }],
    problem: null,
  });
  session.receive({ t: 'secret', prop: 'extra', value: 'hush' });
  session.receive({ t: 'submit', values: { extra: { secret: true } } });
  await expect.poll(() => submitted).toEqual([{ extra: 'hush' }]);
});

describe('submitting', () => {
  test('shows its progress, and closes when it is done', async () => {
    const { session, posted, lastOf, isClosed } = open(
      {},
      {
        async submit(_, __, { progress }) {
          progress('Bundling');
          progress('Running the deploy hook');
        },
      },
    );
    session.receive({ t: 'ready' });
    await lastOf('form');
    session.receive({ t: 'submit', values: {} });
    await expect.poll(isClosed).toBe(true);
    const progress = posted.findLast(({ t }) => t === 'progress');
    expect(progress).toEqual({
      t: 'progress',
      messages: ['Bundling', 'Running the deploy hook'],
    });
  });

  test('a debugged run, which goes on when the form has closed, is neither aborted nor shown', async () => {
    let submitted: Parameters<FormTask['submit']>[2] | undefined;
    const { session, posted, lastOf, isClosed } = open(
      {},
      { submit: async (_, __, options) => void (submitted = options) },
    );
    session.receive({ t: 'ready' });
    await lastOf('form');
    session.receive({ t: 'submit', values: {} });
    await expect.poll(isClosed).toBe(true);
    expect(submitted?.signal.aborted).toBe(false);
    const before = posted.length;
    submitted?.progress('Evaluating');
    expect(posted).toHaveLength(before);
  });

  test('a failure is shown and the form stays open; a second press tries again', async () => {
    let tries = 0;
    const { session, posted, lastOf, isClosed } = open(
      {},
      {
        async submit() {
          tries += 1;
          if (tries === 1) {
            throw new WeirError('bad_input', 'channel is required.', [
              { prop: 'channel', message: 'channel is required.' },
            ]);
          }
        },
      },
    );
    session.receive({ t: 'ready' });
    await lastOf('form');
    session.receive({ t: 'submit', values: {} });
    expect(await lastOf('failed')).toMatchObject({ problems: { channel: 'A value is required.' } });
    expect(isClosed()).toBe(false);
    session.receive({ t: 'submit', values: {} });
    await expect.poll(isClosed).toBe(true);
    expect(posted.filter(({ t }) => t === 'failed')).toHaveLength(1);
  });

  test('stops on request, and a page that comes back is sent the progress', async () => {
    const { session, posted, lastOf } = open(
      {},
      {
        submit: (_, __, { signal }) =>
          new Promise((___, reject) => {
            signal.addEventListener('abort', () =>
              reject(new WeirError('cancelled', 'Cancelled.')),
            );
          }),
      },
    );
    session.receive({ t: 'ready' });
    await lastOf('form');
    session.receive({ t: 'submit', values: {} });
    await lastOf('progress');
    session.receive({ t: 'submit', values: {} });
    session.receive({ t: 'ready' });
    expect(posted.filter(({ t }) => t === 'progress')).toHaveLength(2);
    session.receive({ t: 'stop' });
    await lastOf('cancelled');
  });
});

describe('an account whose app sends events', () => {
  const account = (hasSecret: boolean) => ({
    id: 'apn_1',
    name: 'Work',
    app: { id: 'slack', name: 'slack' },
    webhook: {
      url: 'http://127.0.0.1/h/ah_1',
      register: 'Enter it at Slack.',
      secret_name: 'Signing Secret',
      has_secret: hasSecret,
      one_address: true,
    },
  });

  test('shows its address, copies it, and has its secret entered outside of the page', async () => {
    let hasSecret = false;
    const asked: string[] = [];
    const { session, posted, copied, lastOf } = open(
      {
        'accounts.list': () => ({ data: [account(hasSecret)] }),
        'apps.get': () => ({ auth_type: 'oauth', webhook: { register: 'Enter it at Slack.' } }),
      },
      {},
      undefined,
      async (_client, { id }) => {
        asked.push(id);
        hasSecret = true;
        return true;
      },
    );
    session.receive({ t: 'ready' });
    expect(await lastOf('accounts')).toMatchObject({
      sendsEvents: true,
      accounts: [{ webhook: { url: 'http://127.0.0.1/h/ah_1', hasSecret: false } }],
    });
    session.receive({ t: 'copyWebhook', account: 'apn_1' });
    session.receive({ t: 'copyWebhook', account: 'apn_unknown' });
    expect(copied).toEqual(['http://127.0.0.1/h/ah_1']);
    session.receive({ t: 'signingSecret', account: 'apn_1' });
    await expect
      .poll(() => posted.findLast((message) => message.t === 'accounts'))
      .toMatchObject({ accounts: [{ webhook: { hasSecret: true } }] });
    expect(asked).toEqual(['apn_1']);
  });
});

describe('an account that is connected in the browser', () => {
  const expired = {
    id: 'apn_2',
    name: 'Home',
    healthy: true,
    dead: false,
    error: null,
    expires_at: '2020-01-01T10:00:00.000Z',
    renews: false,
  };

  test('is sent with its health before the page hears that it is there', async () => {
    const asked: unknown[] = [];
    const { session, posted, lastOf } = open(
      {
        'accounts.list': () => ({ data: [expired] }),
        'apps.get': () => ({ grants: ['code'], key_forms: [] }),
      },
      {},
      async (_, app, account) => (asked.push([app, account]), 'apn_2'),
    );
    session.receive({ t: 'connect', app: 'slack', account: 'apn_2' });
    const ended = await lastOf('connected');
    expect(ended).toEqual({ t: 'connected', app: 'slack', account: 'apn_2', problem: null });
    expect(asked).toEqual([['slack', 'apn_2']]);
    expect(posted.map(({ t }) => t)).toEqual(['accounts', 'connected']);
    const why = 'Its token expired at 2020-01-01 10:00 UTC. Connect the account again.';
    expect(posted[0]).toMatchObject({
      connects: true,
      accounts: [{ id: 'apn_2', name: 'Home', health: { state: 'dead', why } }],
    });
  });

  test('and one that was cancelled or failed leaves the list as it is', async () => {
    const cancelled = open();
    cancelled.session.receive({ t: 'connect', app: 'slack', account: null });
    expect(await cancelled.lastOf('connected')).toMatchObject({ account: null, problem: null });

    const failed = open({}, {}, async () => {
      throw new WeirError('bad_input', 'Slack was not connected: access_denied');
    });
    failed.session.receive({ t: 'connect', app: 'slack', account: null });
    const problem = 'Slack was not connected: access_denied';
    expect(await failed.lastOf('connected')).toMatchObject({ account: null, problem });
    expect(failed.posted).toHaveLength(1);
  });
});

test('an account is for the folder or for all of them, and the next one is asked for as this one was', async () => {
  const answers = {
    'accounts.create': () => ({ id: 'apn_2' }),
    'accounts.list': () => ({ data: [{ id: 'apn_2', name: 'Home', kept_for: 'user' }] }),
  };
  const { session, sharing, calls, lastOf } = open(answers);
  const credentials = { token: 'x' };
  session.receive({ t: 'account', app: 'slack', name: 'Home', credentials, isShared: true });
  expect(await lastOf('accounts')).toMatchObject({
    accounts: [{ id: 'apn_2', isShared: true }],
    sharing: true,
  });
  expect(calls[0]?.params).toMatchObject({ kept_for: 'user' });
  // One that could not be shared says nothing of what the user wants.
  session.receive({ t: 'account', app: 'slack', name: 'Home', credentials });
  await expect.poll(() => calls.filter(({ name }) => name === 'accounts.create')).toHaveLength(2);
  expect(calls.findLast(({ name }) => name === 'accounts.create')?.params).not.toHaveProperty(
    'kept_for',
  );
  expect(sharing.last).toBe(true);
  session.receive({ t: 'account', app: 'slack', name: 'Home', credentials, isShared: false });
  await expect.poll(() => sharing.last).toBe(false);
});

test('an account is stored, and sent with the others', async () => {
  const { session, calls, lastOf } = open({ 'accounts.create': () => ({ id: 'apn_2' }) });
  session.receive({ t: 'account', app: 'slack', name: 'Home', credentials: { token: 'x' } });
  expect(await lastOf('accounts')).toMatchObject({ app: 'slack', added: 'apn_2', problem: null });
  expect(calls[0]).toMatchObject({ name: 'accounts.create', params: { name: 'Home' } });
});

test('what is wrong with the definition of an app is told beside its accounts', async () => {
  const problem = 'a.auth.json and b.auth.json define slack in different ways.';
  const { session, lastOf } = open({
    'accounts.create': () => ({ id: 'apn_2' }),
    'apps.get': () => {
      throw new WeirError('conflict', problem);
    },
  });
  session.receive({ t: 'account', app: 'slack', name: 'Home', credentials: { token: 'x' } });
  const accounts = [expect.objectContaining({ id: 'apn_1' })];
  expect(await lastOf('accounts')).toMatchObject({ accounts, problem });
});

test.each([
  ['the first', [], 'Bundling', ['Bundling']],
  ['one that replaces the start', [firstMessage], 'Bundling', ['Bundling']],
  ['one that is more precise', ['Bundling'], 'Bundling x.mjs', ['Bundling x.mjs']],
  ['another', ['Bundling x.mjs'], 'Evaluating', ['Bundling x.mjs', 'Evaluating']],
])('a message of the progress: %s', (_, messages, message, expected) => {
  expect(progressWith(messages, message)).toEqual(expected);
});
