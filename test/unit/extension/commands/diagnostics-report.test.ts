import { expect, test } from 'vitest';
import { redact, report } from '../../../../src/extension/commands/diagnostics-report.ts';

test.each([
  ['signed with whsec_abc+/=', 'signed with whsec_…'],
  ['POST http://127.0.0.1:1/h/hi_AbC1234/x', 'POST http://127.0.0.1:1/h/hi_…/x'],
  ['authorization: Bearer eyJ.a-b', 'authorization: <redacted>'],
  ['sent Bearer eyJ.a-b to it', 'sent <credentials> to it'],
  ['{"apiKey":"k-1","x":1}', '{"apiKey":<redacted>,"x":1}'],
  ["{ api_key: 'k 1' }", '{ api_key: <redacted> }'],
  ['password=hunter2, user=ada', 'password=<redacted>, user=ada'],
  ['https://ada:pw@example.com/a?token=1&b=2', 'https://<credentials>@example.com/a?…'],
  ['smtp.url=smtps://ada:pw@mail.example.com', 'smtp.url=smtps://<credentials>@mail.example.com'],
  ['account apn_AbC1234', 'account apn_…'],
  ['/home/ada/w/a.mjs:3', '~/w/a.mjs:3'],
  ['Bundling hello.mjs in 12 ms', 'Bundling hello.mjs in 12 ms'],
])('%j is reported as %j', (text, shown) => {
  expect(redact(text, '/home/ada')).toBe(shown);
});

test('a report is Markdown whose parts end where they end', () => {
  const text = report([{ title: 'Log', text: 'a\n```\nb' }], '/home/ada');
  expect(text).toContain('## Log\n\n~~~~\na\n```\nb\n~~~~\n');
  expect(text).toContain('None of this was sent anywhere');
});
