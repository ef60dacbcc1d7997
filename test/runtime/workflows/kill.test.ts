import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { postedStatus } from '../../support/post.ts';
import { startReceiver } from '../../support/receiver.ts';
import { countOf, endpointOf, httpTrigger, workflowWorld } from './world.ts';

/**
 * kill -9 at random moments over executions with delays, callbacks and emits. `WEIR_KILLS=100 npm run test:runtime
 * -- workflows/kill` for the long run.
 */
const kills = Number(process.env['WEIR_KILLS'] ?? 6);
const perKill = 40;

const world = workflowWorld('--set', 'retention.events=1000000');

test(
  `W9 W16 W17 W22: 0 executions lost, 0 finished steps run twice, 0 emits lost over ${kills} kills`,
  { timeout: 120_000 + kills * 15_000 },
  async () => {
    /** How often each step of each execution was begun, and how often it had come to its end. */
    const begun = new Map<string, number>();
    const callbacks: string[] = [];
    const receiver = await startReceiver({
      answer: ({ path, body }) => {
        begun.set(path, (begun.get(path) ?? 0) + 1);
        if (path.startsWith('/ask/')) callbacks.push(body);
        return {};
      },
    });
    const tell = (name: string) =>
      `await fetch('${receiver.url}/${name}/' + number, { method: 'POST', body: String(url ?? '') });`;
    const head = `const { number } = steps.trigger.event.body; let url;`;
    const workflow = await world.deploy({
      triggers: [httpTrigger],
      steps: [
        {
          namespace: 'first',
          run: `${head} ${tell('first')} $.send.emit({ raw_event: { number, from: 'first' } }); return $.context.step_key`,
        },
        { namespace: 'nap', run: `${head} ${tell('nap')} $.flow.delay(number % 7 * 30)` },
        {
          namespace: 'ask',
          run: `${head} url = $.flow.suspend().resume_url; ${tell('ask')} $.send.emit({ raw_event: { number, from: 'ask' } })`,
        },
        {
          namespace: 'poll',
          run: `${head} ${tell('poll')} if ($.context.run.runs < 3) $.flow.rerun(20); return $.context.run.runs`,
        },
        {
          namespace: 'last',
          run: `${head} ${tell('last')} $.send.emit({ raw_event: { number, from: 'last' } }); return [steps.first.$return_value, steps.poll.$return_value]`,
        },
      ],
    });
    const listener = await world.deploy({
      triggers: [{ id: workflow.id }],
      steps: [
        {
          namespace: 'got',
          run: `const { number, from } = steps.trigger.event; return number + ' ' + from`,
        },
      ],
    });
    const url = endpointOf(workflow);
    const acknowledged: number[] = [];
    let number = 0;
    const calls = { areOver: false };
    // The third party that calls back, until it is heard.
    const calling = (async () => {
      while (!calls.areOver) {
        const next = callbacks.shift();
        if (next === undefined) await wait(5);
        else {
          const status = await postedStatus(next, {});
          if (status !== 200 && status !== 410) callbacks.push(next);
        }
      }
    })();
    for (let kill = 0; kill < kills; kill += 1) {
      const load = { isOn: true };
      const callers = Array.from({ length: 4 }, async () => {
        while (load.isOn && number < (kill + 1) * perKill) {
          number += 1;
          const mine = number;
          if ((await postedStatus(url, { number: mine })) === 200) acknowledged.push(mine);
        }
      });
      await wait(100 + Math.random() * 1900);
      await world.runtime.kill();
      load.isOn = false;
      await Promise.all(callers);
      await world.start();
    }
    const all = await world.allEnded(workflow, acknowledged.length, 90_000);
    calls.areOver = true;
    await calling;
    expect(countOf(all)).toEqual({ succeeded: all.length });
    expect(all.length).toBeGreaterThanOrEqual(acknowledged.length);
    // Each acknowledged one has been run to its end.
    const ran = (name: string) =>
      new Set([...begun.keys()].filter((path) => path.startsWith(`/${name}/`)));
    expect(acknowledged.filter((one) => !ran('last').has(`/last/${one}`))).toEqual([]);
    // A step may begin again only where it was cut off: at most one per worker and kill, but 0 after its row.
    for (const { id } of all) {
      const { steps } = await world.execution(id);
      expect(steps.map(({ path, run, status }) => `${path} ${run} ${status}`)).toEqual([
        'first 1 succeeded',
        'nap 1 succeeded',
        'ask 1 succeeded',
        'poll 1 succeeded',
        'poll 2 succeeded',
        'poll 3 succeeded',
        'last 1 succeeded',
      ]);
    }
    const again = [...begun].filter(([path, count]) => count > (path.startsWith('/poll/') ? 3 : 1));
    expect(again.length).toBeLessThanOrEqual(kills * 16);
    const heard = await world.allEnded(listener, all.length * 3, 60_000);
    const events = await Promise.all(
      heard.map(async ({ id }) => (await world.execution(id)).steps[0]?.return_value as string),
    );
    const counts = new Map<string, number>();
    for (const event of events) counts.set(event, (counts.get(event) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
    const expected = [...ran('last')].flatMap((path) =>
      ['first', 'ask', 'last'].map((from) => `${path.slice(6)} ${from}`),
    );
    expect([...counts.keys()].toSorted()).toEqual(expected.toSorted());
    console.log(
      `${kills} kills, ${acknowledged.length} acknowledged, ${all.length} executions, ${again.length} steps cut off and run again, ${events.length} emits: 0 lost`,
    );
  },
);
