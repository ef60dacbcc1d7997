/** Props that `additionalProps()` adds to a step: their defaults, also of hidden ones, and their checks (P6.13). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { WholeExecution } from '../../../src/protocol/catalogue.ts';
import { stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

const act = `export default {
  key: 'h-act', name: 'Act', version: '0.0.1', type: 'action',
  props: { on: { type: 'boolean', reloadProps: true, optional: true } },
  async additionalProps() {
    return this.on ? {
      hid: { type: 'string', hidden: true, default: 'D' },
      no: { type: 'boolean', default: false },
      zero: { type: 'integer', default: 0 },
      empty: { type: 'string', default: '' },
      list: { type: 'string[]', default: ['a'] },
      nested: { type: 'boolean', default: true, reloadProps: true },
      ...(this.nested && { deep: { type: 'object', hidden: true, default: { d: 1 } } }),
    } : {};
  },
  async run() { const { hid, no, zero, empty, list, nested, deep } = this; return { hid, no, zero, empty, list, nested, deep }; },
};`;
const all = {
  hid: 'D',
  no: false,
  zero: 0,
  empty: '',
  list: ['a'],
  nested: true,
  deep: { d: 1 },
};

async function returned(props: object, event: unknown = {}, more: object = {}): Promise<unknown> {
  const workflow = await world.deploy({ steps: [{ namespace: 'act', code: act, props, ...more }] });
  return stepOf(await world.run(workflow, event), 'act').return_value;
}

test('P6.13: the defaults of added props reach a step, nested and falsy ones too', async () => {
  expect(await returned({ on: true })).toEqual(all);
  expect(await returned({ on: false })).toEqual({});
  expect(await returned({ on: true, nested: false, zero: 7 })).toEqual({
    ...all,
    nested: false,
    zero: 7,
    deep: undefined,
  });
});

test('P6.13: a value that only the run knows decides as well', async () => {
  const props = { on: '{{steps.trigger.event.on}}' };
  expect(await returned(props, { on: true })).toEqual(all);
  expect(await returned(props, { on: false })).toEqual({});
  const text = { on: true, hid: 'x {{steps.trigger.event.on}}' };
  expect(await returned(text, { on: 1 })).toEqual({ ...all, hid: 'x 1' });
});

test('P6.13: in blocks, in loops and in processes of their own', async () => {
  const each = { namespace: 'act', code: act, props: { on: '{{steps.each.item}}' } };
  const workflow = await world.deploy({
    settings: { isolate: 'step' },
    steps: [
      {
        namespace: 'each',
        control: 'each',
        on: '{{[true, false, true]}}',
        steps: [each],
      },
      {
        namespace: 'if',
        control: 'ifelse',
        branches: [
          {
            name: 'yes',
            when: true,
            steps: [{ namespace: 'act', code: act, props: { on: true } }],
          },
        ],
      },
    ],
  });
  const execution = await world.run(workflow);
  expect(execution).toMatchObject({ status: 'succeeded' });
  expect(stepOf(execution, 'if.yes.act').return_value).toEqual(all);
  expect(stepOf(execution, 'each').return_value).toEqual([all, {}, all]);
});

test('P6.13: a prop that is required once others have values is checked by the deploy', async () => {
  const code = `export default { key: 'h-must', name: 'Must', version: '0.0.1', type: 'action',
    props: { on: { type: 'boolean', reloadProps: true } },
    additionalProps() { return this.on ? { must: { type: 'string' }, count: { type: 'integer', optional: true } } : {}; },
    run() {} };`;
  const folder = await world.write({
    steps: [{ namespace: 'a', code, props: { on: true, count: 'x' } }],
  });
  const { status, body } = await world.runtime.rest('POST', '/v1/workflows', {
    workflow_path: folder,
  });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('a.must is required.');
  expect(JSON.stringify(body)).toContain('a.count must be a number');
});

test('P6.13: a failing additionalProps() is a warning, and is called again by the run', async () => {
  let status = 500;
  const server = createServer((_request, response) => {
    response.statusCode = status;
    response.end('"D"');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const code = `export default { key: 'h-late', name: 'Late', version: '0.0.1', type: 'action', props: {},
    async additionalProps() {
      const answer = await fetch('${url}');
      if (!answer.ok) throw new Error('answered ' + answer.status);
      return { hid: { type: 'string', hidden: true, default: await answer.json() } };
    },
    run() { return this.hid ?? null; } };`;
  const workflow = await world.deploy({ steps: [{ namespace: 'late', code }] });
  expect(JSON.stringify(workflow)).toContain('additionalProps failed: answered 500');
  expect(stepOf(await world.run(workflow), 'late').return_value).toBe(null);
  status = 200;
  expect(stepOf(await world.run(workflow), 'late').return_value).toBe('D');
});

test('P6.13: a replay with other props has their set', async () => {
  const workflow = await world.deploy({
    steps: [{ namespace: 'act', code: act, props: { on: false } }],
  });
  const first = await world.run(workflow, {});
  expect(stepOf(first, 'act').return_value).toEqual({});
  const ended = await world.runtime.restData<WholeExecution>(
    'POST',
    `/v1/executions/${first.id}/replay`,
    { from_step: 'act', props: { on: true }, wait: true },
  );
  expect(stepOf(ended, 'act').return_value).toEqual(all);
});
