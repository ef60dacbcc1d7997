/** E-mail triggers: a message is handed over, and the workflow gets the event that the platform would make of it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import type { WholeExecution, Workflow } from '../../../src/protocol/catalogue.ts';
import { stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

/** As nodemailer writes it: nested parts, encoded words, quoted-printable, base64. */
async function composed(mail: object): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail({
    from: '"Ada Lövelace" <ada@example.com>',
    to: 'support+urgent@example.com, Büro <buero@example.com>',
    subject: 'Größe: 10 €',
    date: new Date('2026-11-20T08:00:00Z'),
    messageId: '<one@example.com>',
    ...mail,
  });
  return message as Buffer;
}

const deploy = (triggers: readonly object[]): Promise<Workflow> =>
  world.deploy({
    triggers,
    steps: [{ namespace: 'one', run: 'return [steps.trigger.event, $.context.emitter_id]' }],
  });

const sent = ({ id }: Workflow, email: string) =>
  world.runtime.rest('POST', `/v1/workflows/${id}/executions`, { email, wait: true });

interface Email {
  readonly headers: Record<string, unknown>;
  readonly body: { readonly text?: string; readonly html?: string };
  readonly attachments: readonly Record<string, unknown>[];
  readonly mail: { readonly content_url: string };
}

async function received(workflow: Workflow, email: string): Promise<[Email, string | null]> {
  const answer = await sent(workflow, email);
  expect(answer).toMatchObject({ status: 200 });
  const { data } = answer.body as { data: WholeExecution };
  return stepOf(data, 'one').return_value as [Email, string | null];
}

test('P25.94: headers, text, HTML and attachments, as the platform gives them', async () => {
  const workflow = await deploy([{ id: 'ei_4kXr9B' }]);
  const bytes = Buffer.from([0, 255, 1, 2]);
  const message = await composed({
    text: 'Grüße',
    html: '<p>Grüße</p>',
    headers: { 'x-tag': 'one', received: ['by a', 'by b'] },
    attachments: [
      { filename: 'list.csv', content: 'a;ä\n', contentType: 'text/csv' },
      { filename: 'logo.png', content: bytes, contentType: 'image/png', cid: 'logo' },
      { filename: 'long.txt', content: `${'x'.repeat(9999)}€${'y'.repeat(100)}` },
    ],
  });
  const [email, emitter] = await received(workflow, message.toString('base64'));
  expect(emitter).toBe('ei_4kXr9B');
  expect(email.headers).toMatchObject({
    from: {
      value: [{ address: 'ada@example.com', name: 'Ada Lövelace' }],
      text: '"Ada Lövelace" <ada@example.com>',
    },
    to: {
      value: [
        { address: 'support+urgent@example.com', name: '' },
        { address: 'buero@example.com', name: 'Büro' },
      ],
    },
    subject: 'Größe: 10 €',
    date: '2026-11-20T08:00:00.000Z',
    'message-id': '<one@example.com>',
    'x-tag': 'one',
    received: ['by a', 'by b'],
    'content-type': { value: 'multipart/mixed', params: { boundary: expect.any(String) } },
  });
  expect(email.body.text?.trim()).toBe('Grüße');
  expect(email.body.html?.trim()).toBe('<p>Grüße</p>');
  const attached = (name: string) => email.attachments.find(({ filename }) => filename === name);
  expect(email.attachments).toHaveLength(3);
  expect(attached('list.csv')).toMatchObject({
    contentType: 'text/csv',
    content: 'a;ä\n',
    contentTruncated: false,
  });
  expect(attached('logo.png')).toMatchObject({ contentType: 'image/png', size: 4 });
  expect(attached('logo.png')).not.toHaveProperty('content');
  expect(attached('long.txt')).toMatchObject({
    content: 'x'.repeat(9999),
    contentTruncated: true,
  });
  const fetched = async (url: unknown) =>
    Buffer.from(await (await fetch(String(url))).arrayBuffer());
  expect(await fetched(attached('logo.png')?.['contentUrl'])).toEqual(bytes);
  expect((await fetched(attached('long.txt')?.['contentUrl'])).length).toBe(9999 + 3 + 100);
  expect(await fetched(email.mail.content_url)).toEqual(message);
});

test('P25.94: as text, with lines that end in a line feed only; and what has no structure', async () => {
  const workflow = await deploy([{ uses: 'email' }]);
  const [email, emitter] = await received(
    workflow,
    'From: ada@example.com\nSubject: plain\n\nHello\n',
  );
  expect(emitter).toBeNull();
  expect(email).toMatchObject({
    headers: { subject: 'plain', from: { text: 'ada@example.com' } },
    body: { text: 'Hello\n' },
    attachments: [],
  });
  // Mail programs write worse than this.
  const odd = 'Subject: =?utf-8?q?broken\nDate: yesterday\nTo: undisclosed-recipients:;\n\n';
  const [broken] = await received(workflow, odd);
  expect(broken.headers).toMatchObject({ date: 'yesterday', to: { value: [] } });
});

test('bad messages, and a workflow without such a trigger: the sentence that says what to change', async () => {
  const workflow = await deploy([{ uses: 'email' }]);
  const other = await deploy([]);
  const plain = 'From: ada@example.com\n\nHello';
  for (const [to, email, sentence] of [
    [other, plain, /no e-mail trigger: add "- uses: email"/],
    [workflow, 'Hello, who are you?', /This is not an e-mail/],
    [workflow, Buffer.from('{"a":1}').toString('base64'), /This is not an e-mail/],
    [workflow, '%%%', /This is not an e-mail/],
    [workflow, '', /This is not an e-mail/],
  ] as const) {
    expect(await sent(to, email)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(sentence) },
    });
  }
  const { id } = workflow;
  const both = { email: plain, event: {} };
  expect(await world.runtime.rest('POST', `/v1/workflows/${id}/executions`, both)).toMatchObject({
    status: 400,
  });
});

test('P25.94: 30 MB are taken, more are not', async () => {
  const workflow = await world.deploy({
    triggers: [{ uses: 'email' }],
    steps: [{ namespace: 'one', run: 'return steps.trigger.event.attachments[0].size' }],
  });
  const size = 20 * 1024 * 1024;
  const message = await composed({
    text: 'large',
    attachments: [{ filename: 'large.bin', content: Buffer.alloc(size, 1) }],
  });
  const answer = await sent(workflow, message.toString('base64'));
  expect(answer).toMatchObject({ status: 200 });
  const { data } = answer.body as { data: WholeExecution };
  expect(stepOf(data, 'one').return_value).toBe(size);
  const larger = Buffer.concat([message, Buffer.alloc(31 * 1024 * 1024 - message.length, 65)]);
  expect(await sent(workflow, larger.toString('base64'))).toMatchObject({ status: 413 });
});

test('weir invoke --email: a file, or stdin', async () => {
  const workflow = await deploy([{ uses: 'email' }]);
  const file = join(world.folder, 'question.eml');
  await writeFile(file, await composed({ text: 'from a file' }));
  const run = await world.runtime.weir('invoke', workflow.id, '--email', file, '--json');
  expect(run.code).toBe(0);
  const [email] = stepOf(run.json() as WholeExecution, 'one').return_value as [Email];
  expect(email.body.text?.trim()).toBe('from a file');
  const missing = await world.runtime.weir('invoke', workflow.id, '--email', 'nowhere.eml');
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('nowhere.eml') });
});
