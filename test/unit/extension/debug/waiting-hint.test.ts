import { expect, test, vi } from 'vitest';
import { waitingHint } from '../../../../src/extension/debug/waiting-hint.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

const now = Date.UTC(2026, 10, 22);
const source = { name: 'Orders', active: true, endpoint_url: null, next_tick_at: null };

test.each([
  [
    'an endpoint',
    { endpoint_url: 'http://127.0.0.1:1/h/hi_1' },
    'Orders is debugged, and waits for a request to its endpoint.',
    ['Compose Request', 'Copy as cURL'],
  ],
  [
    'a timer',
    { next_tick_at: now + 14 * 60_000 },
    'Orders is debugged, and waits for its next run in 14m.',
    ['Run Now'],
  ],
  ['neither', {}, 'Orders is debugged, and waits to be run.', ['Run Now']],
])('a debugged source with %s', (_, has, sentence, ways) => {
  const wait = waitingHint({ ...source, ...has }, now);
  expect(wait?.sentence).toBe(sentence);
  expect(Object.keys(wait?.ways ?? {})).toEqual(ways);
});

test('one that is switched off waits for nothing', () => {
  expect(waitingHint({ ...source, active: false }, now)).toBeUndefined();
});
