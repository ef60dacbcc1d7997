import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WeirError } from '../../../../../../src/protocol/errors.ts';
import {
  createEndpointHandler,
  type EndpointHandler,
} from '../../../../../../src/runtime/events/triggers/http/handler.ts';

async function post(handle: EndpointHandler): Promise<Response> {
  const server = createServer((request, response) =>
    handle(request, response, () => response.destroy()),
  );
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return await fetch(`http://127.0.0.1:${port}/h/hi_1/x`, { method: 'POST', body: '{}' });
}

test.each([
  ['its source was deleted while its body came', new WeirError('not_found', 'x'), 404, 0],
  ['the store failed', new WeirError('store_failed', 'x'), 503, 0],
  ['anything else, which only the log shows', new TypeError('secret detail'), 500, 1],
])('a request that is not accepted: %s', async (_name, error, status, reports) => {
  const reported: unknown[] = [];
  const refused = () => {
    throw error;
  };
  const handle = createEndpointHandler({
    endpoint: () => ({ emitterId: 'dc_1', prop: 'http', customResponse: false }),
    intake: { accept: refused, record: refused },
    upload: refused,
    bodyLimit: 1000,
    uploadLimit: 1000,
    tooLarge: () => undefined,
    loopDetected: () => undefined,
    report: (where, thrown) => reported.push([where, thrown]),
  });
  const answer = await post(handle);
  expect(answer.status).toBe(status);
  expect(await answer.text()).not.toMatch(/secret detail/);
  expect(reported).toEqual(reports === 0 ? [] : [['POST /h/hi_1', error]]);
});

test('an answer that Node refuses to send is a 500, and the log says why', async () => {
  const reported: unknown[] = [];
  const answer = await post(
    createEndpointHandler({
      endpoint: () => ({ emitterId: 'dc_1', prop: 'http', customResponse: true }),
      intake: {
        accept: (_id, { caller }) => {
          setImmediate(() => {
            void caller?.respond?.({ status: 200, headers: { 'no name': 'x' }, body: '' });
          });
          return { n: 1, durable: Promise.resolve() };
        },
        record: () => ({ n: 2, durable: Promise.resolve() }),
      },
      upload: () => Promise.resolve(''),
      bodyLimit: 1000,
      uploadLimit: 1000,
      tooLarge: () => undefined,
      loopDetected: () => undefined,
      report: (where, thrown) => reported.push([where, thrown]),
    }),
  );
  expect(answer.status).toBe(500);
  expect(reported).toEqual([['POST /h/hi_1', expect.any(TypeError)]]);
});
