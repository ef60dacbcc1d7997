/** Rules of executions: their journal, pauses and retries, what they send and stream. */
import { expect } from 'vitest';
import type { NewSend } from '../../src/runtime/store/history/sends.ts';
import type { StepRun } from '../../src/runtime/store/history/step-runs.ts';
import type { NewStepRun } from '../../src/runtime/store/history/executions.ts';
import { event, ownerOf, take } from '../support/records.ts';
import { commitStep, execute, stepRun } from '../support/workflow-records.ts';
import { topic } from './rules.ts';
import { oneWorkflow } from './workflows.ts';

const ended = { status: 'succeeded', at: 2000, reason: null } as const;
const request: NewSend = {
  path: 'step_1',
  send: { kind: 'http', method: 'POST', url: 'http://127.0.0.1:1/', headers: { a: 'b' } },
};
const message = (channel: string, payload: string): NewSend => ({
  path: 'step_1',
  send: { kind: 'sse', channel, payload },
});

/** As the journal has it: its lines and requests lie beside it. */
function journalled({ logs: _, requests: _requests, ...step }: NewStepRun): StepRun {
  return step;
}

const everything = stepRun(1, {
  status: 'failed',
  decision: '"next"',
  error: { name: 'Error', message: 'No.' },
  pause: { kind: 'retry', dueAt: 5000, context: '1' },
  sends: '[]',
  props: '{"a":1}',
  returnValue: null,
  exports: null,
});

export const journal = topic('the journal of an execution', oneWorkflow, (rule) => {
  rule('has every step in the order of the commits, whole', async ({ store, crash }) => {
    const n = await execute(store);
    const steps = [everything, stepRun(2), stepRun(3)];
    for (const step of steps) await commitStep(store, n, { step });
    const again = await crash(Math.random);
    expect(await again.executions.steps(n)).toEqual(steps.map(journalled));
    expect((await take(again, 'p_1')).unfinished.map(({ record }) => record.n)).toEqual([n]);
  });

  rule('has the lines and requests of each step', async ({ store, reopen }) => {
    const n = await execute(store);
    const line = (text: string) => ({ at: 5, kind: 'console', level: 'info', text }) as const;
    const requests = [{ method: 'GET' }];
    const first = stepRun(1, {
      logs: [line('one'), line('two')],
      requests: JSON.stringify(requests),
    });
    await commitStep(store, n, { step: first });
    await commitStep(store, n, { step: stepRun(2, { logs: [line('three')] }), end: ended });
    const { executions } = await reopen();
    const found = await executions.stepsWithLogs(n);
    expect(found.map(({ logs }) => logs.map(({ text }) => text))).toEqual([
      ['one', 'two'],
      ['three'],
    ]);
    expect(await executions.requests(n)).toEqual([{ seq: 1, requests }]);
  });

  rule('begins with the steps of another one', async ({ store, reopen }) => {
    const { fence } = await take(store, 'p_1');
    const override = { path: 'step_2', props: { a: 1 }, name: 'Other' };
    const test = { only: 'step_2', pins: {} };
    const steps = [journalled(stepRun(1))];
    const { n, durable } = store.accept({
      emitterId: 'p_1',
      fence,
      cause: 'replay',
      at: 5,
      journal: { deploymentId: 'd_1', steps, override, test },
    });
    await durable;
    const { executions } = await reopen();
    expect(await executions.steps(n)).toEqual(steps);
    expect(await executions.state(n)).toMatchObject({ deploymentId: 'd_1', override, test });
  });

  rule('ends once', async ({ store }) => {
    const n = await execute(store);
    const error = { name: 'Error', message: 'No.' };
    const failed = { status: 'failed', at: 2000, reason: 'why', error } as const;
    await commitStep(store, n, { step: stepRun(1), response: '{"status":200}', end: failed });
    await expect(commitStep(store, n, { step: stepRun(2) })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await store.executions.steps(n)).toHaveLength(1);
    expect(await store.invocations.get(n)).toMatchObject({
      status: 'failed',
      error,
      startedAt: 1000,
      endedAt: 2000,
    });
    expect(await store.executions.state(n)).toEqual({
      deploymentId: 'd_1',
      legs: 1,
      wakeAt: null,
      reason: 'why',
      override: null,
      test: null,
      response: '{"status":200}',
    });
  });

  rule('is not suspected any more once it has come further', async ({ store, reopen }) => {
    const n = await execute(store);
    const owner = await take(store, 'p_1');
    const marked = { n, attempt: 2, isAlone: true, outlived: 0 };
    await store.invocations.markSuspects(owner, [marked]);
    await commitStep(store, n, { step: stepRun(1) });
    expect(await store.invocations.get(n)).toMatchObject({ attempt: 2 });
    await commitStep(store, n, { step: stepRun(2), progressed: true });
    const [unfinished] = (await take(await reopen(), 'p_1')).unfinished;
    expect(unfinished?.record).toMatchObject({ n, attempt: 1 });
    expect(unfinished?.suspicion).toBeUndefined();
  });

  rule('is one write with the events and the state of its step', async ({ store, crash }) => {
    const n = await execute(store);
    await commitStep(store, n, {
      step: stepRun(1),
      db: [{ prop: 'step_1 db', key: 'k', json: '1' }],
      events: [event('5-0')],
      end: ended,
    });
    const again = await crash(Math.random);
    expect((await again.events.ofInvocation(n)).map(({ id }) => id)).toEqual(['5-0']);
    expect((await take(again, 'p_1')).db).toEqual({ 'step_1 db': { k: '1' } });
  });

  rule('is forgotten where only that it ran is kept', async ({ store, reopen }) => {
    const n = await execute(store);
    await commitStep(store, n, { step: stepRun(1) });
    await commitStep(store, n, { end: ended, forget: true });
    const again = await reopen();
    expect(await again.executions.steps(n)).toEqual([]);
    expect(await again.invocations.trigger(n)).toBeUndefined();
    expect(await again.invocations.get(n)).toMatchObject({ status: 'succeeded' });
  });

  rule('writes nothing for an owner that was replaced', async ({ store, reopen }) => {
    const n = await execute(store);
    const { fence } = await ownerOf(store, 'p_1');
    const again = await reopen();
    await take(again, 'p_1');
    const owner = { id: 'p_1', fence };
    const hit = { execution: n, path: 'step_1', run: 1, action: 'resume' } as const;
    for (const late of [
      () => commitStep(again, n, { fence, step: stepRun(1) }),
      () => again.executions.addHit(owner, { ...hit, trigger: undefined }, 5),
      () => again.sends.end(owner, { n: 1, status: 'sent', at: 5 }),
    ]) {
      await expect(late()).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(await again.executions.steps(n)).toEqual([]);
    expect(await again.executions.hits(n)).toEqual([]);
  });
});

export const pauses = topic('a pause', oneWorkflow, (rule) => {
  const paused = (seq: number) =>
    stepRun(seq, { status: 'paused', pause: { kind: 'delay', dueAt: 5000 } });

  rule('is due at its time, and after a crash', async ({ store, crash }) => {
    const n = await execute(store);
    await commitStep(store, n, { step: paused(1), pause: { wakeAt: 5000 } });
    const again = await crash(Math.random);
    const { unfinished } = await take(again, 'p_1');
    expect(unfinished).toEqual([]);
    const { executions } = again;
    expect(await executions.due(4999, 10)).toEqual([]);
    expect(await executions.nextWakeAfter(4999)).toBe(5000);
    expect((await executions.due(5000, 10)).map((one) => one.n)).toEqual([n]);
    expect(await executions.nextWakeAfter(5000)).toBeUndefined();
    expect((await executions.paused('p_1')).map((one) => one.n)).toEqual([n]);
  });

  rule('is over when its step was resumed', async ({ store, reopen }) => {
    const n = await execute(store);
    await commitStep(store, n, { step: paused(1), pause: { wakeAt: 5000 } });
    const resumed = [{ seq: 1, exports: '{"b":2}' }];
    await commitStep(store, n, { step: stepRun(2, { leg: 2 }), leg: 2, resumed });
    const { executions, invocations } = await reopen();
    expect(await executions.paused('p_1')).toEqual([]);
    expect(await executions.due(1e6, 10)).toEqual([]);
    expect((await executions.steps(n))[0]).toMatchObject({
      status: 'succeeded',
      exports: '{"b":2}',
    });
    expect(await executions.state(n)).toMatchObject({ legs: 1, wakeAt: null });
    expect(await invocations.get(n)).toMatchObject({ status: 'queued' });
  });

  rule('is due when a request has hit it, once', async ({ store, reopen }) => {
    const n = await execute(store);
    await commitStep(store, n, { step: paused(1), pause: { wakeAt: null } });
    const owner = await ownerOf(store, 'p_1');
    const trigger = { kind: 'event', json: '{"c":3}' } as const;
    const hit = { execution: n, path: 'step_1', run: 1, action: 'resume', trigger } as const;
    expect(await store.executions.due(1e6, 10)).toEqual([]);
    expect(await store.executions.addHit(owner, hit, 1500)).toBe(true);
    expect(await store.executions.addHit(owner, { ...hit, action: 'cancel' }, 1600)).toBe(false);
    const again = await reopen();
    await take(again, 'p_1');
    const { executions } = again;
    expect(await executions.hits(n)).toEqual([hit]);
    expect((await executions.due(1500, 10)).map((one) => one.n)).toEqual([n]);
  });

  rule('is due at once where a request came before it', async ({ store }) => {
    const n = await execute(store);
    const owner = await ownerOf(store, 'p_1');
    const hit = { execution: n, path: 'step_1', run: 1, action: 'resume' } as const;
    await store.executions.addHit(owner, { ...hit, trigger: undefined }, 900);
    await commitStep(store, n, { step: paused(1), pause: { wakeAt: 5000 } });
    expect((await store.executions.due(1000, 10)).map((one) => one.n)).toEqual([n]);
  });

  rule('ends with a later run of its step, and with the execution', async ({ store }) => {
    const n = await execute(store);
    const waits = stepRun(1, { status: 'retrying', pause: { kind: 'retry', dueAt: 5000 } });
    await commitStep(store, n, { step: waits, pause: { wakeAt: 5000 } });
    const again = stepRun(2, { path: 'step_1', attempt: 2, leg: 2, status: 'paused' });
    await commitStep(store, n, { step: again, leg: 2, resumed: [], progressed: true });
    const status = async () => (await store.executions.steps(n)).map((one) => one.status);
    expect(await status()).toEqual(['failed', 'paused']);
    const cancelled = { status: 'cancelled', at: 3000, reason: null } as const;
    await commitStep(store, n, { leg: 2, leavesWaiting: true, end: cancelled });
    expect(await status()).toEqual(['failed', 'cancelled']);
    expect(await store.executions.due(1e6, 10)).toEqual([]);
  });
});

export const sends = topic('a send', oneWorkflow, (rule) => {
  rule('waits until it has gone out, and after a crash', async ({ store, crash }) => {
    const n = await execute(store);
    const made = await commitStep(store, n, {
      step: stepRun(1),
      end: ended,
      sendsOut: true,
      sends: [request, { ...request, path: 'step_2' }],
    });
    expect(made.sends?.map(({ path, status }) => [path, status])).toEqual([
      ['step_1', 'pending'],
      ['step_2', 'pending'],
    ]);
    const again = await crash(Math.random);
    const { pendingSends } = await take(again, 'p_1');
    expect(pendingSends).toEqual(made.sends);
    const [first, second] = pendingSends;
    const owner = await ownerOf(again, 'p_1');
    await again.sends.end(owner, { n: first?.n ?? 0, status: 'sent', answer: '{"a":1}', at: 7 });
    const error = { name: 'Error', message: 'No.' };
    await again.sends.end(owner, { n: second?.n ?? 0, status: 'failed', error, at: 8 });
    expect(await again.sends.ofExecution(n)).toMatchObject([
      { ...request, status: 'sent', answer: '{"a":1}', error: null, endedAt: 7 },
      { status: 'failed', error, endedAt: 8 },
    ]);
    expect((await take(again, 'p_1')).pendingSends).toEqual([]);
  });

  rule('of a test is kept and goes nowhere', async ({ store }) => {
    const n = await execute(store);
    const made = await commitStep(store, n, {
      step: stepRun(1),
      end: ended,
      isTest: true,
      sends: [request, message('', '1')],
    });
    expect(made.sends ?? []).toEqual([]);
    expect((await store.sends.ofExecution(n)).map(({ status }) => status)).toEqual([
      'not_sent',
      'not_sent',
    ]);
    expect(await store.streams.after('p_1', undefined, 0, 10)).toEqual([]);
  });

  rule('that starts a workflow puts a run into its inbox', async ({ store }) => {
    const n = await execute(store);
    const send = { kind: 'trigger', workflow: 'p_1', payload: '{"d":4}' } as const;
    const made = await commitStep(store, n, {
      step: stepRun(1),
      end: ended,
      sends: [{ path: 'step_1', send }],
    });
    const started = made.triggered[0]?.n ?? 0;
    expect(await store.invocations.get(started)).toMatchObject({ cause: 'workflow' });
    expect(await store.invocations.trigger(started)).toMatchObject({ json: '{"d":4}' });
  });
});

export const streams = topic('a stream', oneWorkflow, (rule) => {
  rule('has messages by channel, after an id', async ({ store, reopen }) => {
    const n = await execute(store);
    const made = await commitStep(store, n, {
      step: stepRun(1),
      end: ended,
      sends: [message('a', '1'), message('b', '2'), message('a', '3')],
    });
    const { streams: again } = await reopen();
    const all = await again.after('p_1', undefined, 0, 10);
    expect(all).toEqual(made.messages);
    expect(all.map(({ payload }) => payload)).toEqual(['1', '2', '3']);
    const [first] = all;
    const later = await again.after('p_1', 'a', first?.id ?? 0, 10);
    expect(later.map(({ payload }) => payload)).toEqual(['3']);
  });

  rule('keeps the newest 100 messages of a channel', async ({ store }) => {
    const n = await execute(store);
    const many = Array.from({ length: 103 }, (_, i) => message('a', String(i)));
    await commitStep(store, n, {
      step: stepRun(1),
      end: ended,
      sends: [...many, message('b', '0')],
    });
    const kept = await store.streams.after('p_1', 'a', 0, 1000);
    expect(kept.map(({ payload }) => payload)).toEqual(
      Array.from({ length: 100 }, (_, i) => String(i + 3)),
    );
    expect(await store.streams.after('p_1', 'b', 0, 10)).toHaveLength(1);
  });
});
