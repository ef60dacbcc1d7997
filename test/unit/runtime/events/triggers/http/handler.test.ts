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

const written = async (): Promise<string> => {
  throw new WeirError('store_failed', 'x');
};
const refusals: readonly [
  string,
  () => { n: number; durable: Promise<void> },
  boolean,
  string | null,
  string | null,
][] = [
  [
    'was refused',
    () => {
      throw new WeirError('store_failed', 'x');
    },
    false,
    '1',
    null,
  ],
  [
    'was refused by a node that starts',
    () => {
      throw new WeirError('runtime_unavailable', 'x');
    },
    false,
    '1',
    null,
  ],
  ['may be stored', () => ({ n: 7, durable: written().then(() => undefined) }), false, null, null],
  [
    'is kept, and nobody is there to answer',
    () => ({ n: 7, durable: Promise.resolve() }),
    true,
    null,
    'inv_7',
  ],
];

test.each(refusals)(
  'P7.59 a 503 says whether the request %s',
  async (_what, accept, customResponse, retryAfter, run) => {
    const handle = createEndpointHandler({
      endpoint: () => ({ emitterId: 'dc_1', prop: 'http', customResponse }),
      intake: {
        accept: (_id, { caller }) => {
          if (customResponse) setImmediate(() => caller?.unanswered?.('stopping'));
          return accept();
        },
        record: accept,
      },
      upload: () => Promise.resolve(''),
      bodyLimit: 1000,
      uploadLimit: 1000,
      tooLarge: () => undefined,
      loopDetected: () => undefined,
      report: () => undefined,
    });
    const answer = await post(handle);
    const { headers } = answer;
    expect([answer.status, headers.get('retry-after'), headers.get('x-weir-invocation')]).toEqual([
      503,
      retryAfter,
      run,
    ]);
  },
);

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
