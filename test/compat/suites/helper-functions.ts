import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { expect } from 'vitest';
import { type Answer, type Received, type Fake, startReceiver } from '../../support/receiver.ts';
import { type Stage, suite } from '../support/suite.ts';

const currency = 'helper_functions/actions/convert-currency';

export const helperFunctions = suite({
  app: 'helper_functions',
  hosts: ['api.frankfurter.app', 'files.example.com'],
  credentials: {},
  start: (atEnd) => startReceiver({ answer, atEnd }),
  scenarios: [
    {
      component: currency,
      shows: 'options of the component itself, with its own methods on `this`',
      play: convertCurrency,
    },
    {
      component: 'helper_functions/actions/download-file-to-tmp',
      shows: 'bytes of a download, kept as they are in /tmp',
      play: download,
    },
    {
      component: 'helper_functions/actions/send-http-request',
      shows: 'an http_request prop and its execute()',
      play: sendRequest,
    },
    {
      component: 'helper_functions/actions/convert-html-to-slack-mrkdwn',
      shows: 'a package nobody declared, which only works as sloppy CommonJS',
      play: htmlToSlack,
    },
    {
      component: 'helper_functions/actions/export-variables',
      shows: 'an export that is not text',
      play: exportVariables,
    },
  ],
});

/** No text: every byte there is. */
const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

function answer(asked: Received): Answer {
  if (asked.path === '/currencies') return { status: 200, body: { EUR: 'Euro', SEK: 'Krona' } };
  if (asked.path === '/latest') return { status: 200, body: { rates: { SEK: 115.5 } } };
  if (asked.path === '/flour.bin') return { status: 200, body: bytes };
  return { status: 201, body: { got: asked.json(), by: asked.headers['x-mill'] } };
}

async function convertCurrency({ world, fake, account }: Stage<Fake>): Promise<void> {
  const props = { helperFunctions: account, fromCurrency: 'EUR', toCurrency: 'SEK', value: '10' };
  const { options } = await world.options(currency, 'toCurrency', props);
  expect(options).toContainEqual({ label: 'Krona', value: 'SEK' });
  expect((await world.act(currency, props)).summary).toBe('10 EUR = 115.5 SEK');
  expect(fake.received.at(-1)?.query.toString()).toBe('from=EUR&to=SEK&amount=10');
}

async function download({ world, account }: Stage<Fake>): Promise<void> {
  const filename = `weir-download-${randomUUID()}.bin`;
  const props = { helper_functions: account, url: 'https://files.example.com/flour.bin', filename };
  const run = await world.act('helper_functions/actions/download-file-to-tmp', props);
  expect(run.return_value).toEqual([filename, `/tmp/${filename}`]);
  expect(await readFile(`/tmp/${filename}`)).toEqual(bytes);
  await rm(`/tmp/${filename}`);
}

async function sendRequest({ world, account }: Stage<Fake>): Promise<void> {
  const httpRequest = {
    method: 'POST',
    url: 'https://files.example.com/hook',
    headers: [{ name: 'x-mill', value: 'weir' }],
    body: { type: 'raw', contentType: 'application/json', mode: 'raw', raw: '{"sacks": 12}' },
  };
  const component = 'helper_functions/actions/send-http-request';
  const run = await world.act(component, { helperFunctions: account, httpRequest });
  expect(run.return_value).toEqual({ got: { sacks: 12 }, by: 'weir' });
}

async function htmlToSlack({ world, account }: Stage<Fake>): Promise<void> {
  const component = 'helper_functions/actions/convert-html-to-slack-mrkdwn';
  const html = '<p>It <b>turns</b>.</p>';
  const run = await world.act(component, { helper_functions: account, html });
  expect(run.return_value).toBe('It *turns*.');
}

async function exportVariables({ world, account }: Stage<Fake>): Promise<void> {
  const component = 'helper_functions/actions/export-variables';
  const config = { wheel: 'oak', stones: { upper: 2 } };
  const run = await world.act(component, { helperFunctions: account, config });
  expect(run).toMatchObject({ exports: { config }, return_value: null });
}
