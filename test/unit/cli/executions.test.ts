import { expect, test } from 'vitest';
import { testText } from '../../../src/cli/views/executions.ts';
import type { Send, WholeExecution } from '../../../src/protocol/catalogue.ts';

const sent = (kind: Send['kind'], given: Send['sent']): Send => ({
  id: 'send_1',
  path: 'tell',
  kind,
  status: 'not_sent',
  sent: given,
  answer: null,
  error: null,
  created_at: 0,
  ended_at: null,
});

test.each([
  ['http', { method: 'POST', url: 'https://a.test/x' }, 'POST https://a.test/x'],
  ['s3', { bucket: 'b', prefix: 'p/q' }, 'b/p/q'],
  ['sse', { channel: 'news', payload: '{}' }, 'channel news'],
  ['trigger', { workflow: 'p_Abc', payload: '{}' }, 'p_Abc'],
  ['email', { subject: 'Hello' }, 'smtp.to (Hello)'],
  ['email', { subject: 'Hello', to: 'ann@a.test' }, 'ann@a.test'],
] as const)('says where a send of kind %s goes', (kind, given, to) => {
  const execution = {
    id: 'exec_1',
    status: 'succeeded',
    reason: null,
    error: null,
    response: null,
    sends: [sent(kind, given)],
  } as unknown as WholeExecution;
  expect(testText(execution)).toContain(to);
  expect(testText(execution)).not.toContain('undefined');
});
