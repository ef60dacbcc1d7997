import { describe, expect, test } from 'vitest';
import {
  lensesFor,
  type ComponentState,
} from '../../../../src/extension/component-files/lenses-for.ts';
import * as make from '../make.ts';

const now = 1_000_000_000_000;
const file = '/w/a.mjs';
const deployed = make.source({ code_hash: 'old', updated_at: now / 1000 - 120 });
const another = make.source({ id: 'dc_0000002', code_hash: 'old' });
const same = { hash: 'old', isBroken: false };

const state = (part: Partial<ComponentState>): ComponentState => ({
  kind: 'source',
  file,
  deployed: [deployed],
  check: same,
  events: 4,
  followed: new Set(),
  ...part,
});
const shown = (part: Partial<ComponentState>) =>
  lensesFor(state(part), now)
    .map(({ title }) => title)
    .join(' | ');

describe('above', () => {
  test.each([
    ['what is not deployed', { deployed: [] }, 'Deploy | Debug'],
    ['an action', { kind: 'action', deployed: [] }, 'Run… | Debug'],
    ['what is deployed as it is', {}, 'Run | Debug | Dev mode | deployed 2 min ago · 4 events'],
    [
      'what has an endpoint',
      { deployed: [make.source({ ...deployed, endpoint_url: 'http://127.0.0.1:1/h/hi_1' })] },
      'Run | Debug | Dev mode | Compose Request | Copy as cURL | deployed 2 min ago · 4 events',
    ],
    [
      'what its app sends events to',
      { deployed: [make.source({ ...deployed, webhook: make.sourceWebhook() })] },
      'Run | Debug | Dev mode | Copy Webhook Address | deployed 2 min ago · 4 events',
    ],
    [
      'what was not checked yet',
      { check: undefined },
      'Run | Debug | Dev mode | deployed 2 min ago · 4 events',
    ],
    [
      'what could not be checked',
      { check: { hash: undefined, isBroken: false } },
      'Run | Debug | Dev mode | deployed 2 min ago · 4 events',
    ],
    [
      'what differs',
      { check: { hash: 'new', isBroken: false } },
      'Update | Run | Debug | deployed 2 min ago · 4 events',
    ],
    [
      'what does not compile',
      { check: { hash: undefined, isBroken: true }, events: 1 },
      'Update | Run | Debug | deployed 2 min ago · 1 event',
    ],
    [
      'what is followed',
      { check: { hash: 'new', isBroken: false }, followed: new Set([deployed.id]) },
      'Run | Debug | $(sync) Dev mode | deployed 2 min ago · 4 events',
    ],
    [
      'what is followed and does not compile',
      { check: { hash: undefined, isBroken: true }, followed: new Set([deployed.id]) },
      'Run | Debug | $(warning) Dev mode: the code before this save serves | deployed 2 min ago · 4 events',
    ],
    [
      'what is deployed twice',
      { deployed: [deployed, another], check: { hash: 'new', isBroken: false } },
      'Update… | Run… | Debug… | deployed 2 times · 4 events',
    ],
  ] as const)('%s', (_, part, titles) => {
    expect(shown(part as Partial<ComponentState>)).toBe(titles);
  });

  test.each([
    [0, 'just now'],
    [59 * 60, '59 min ago'],
    [3600, '1 hour ago'],
    [50 * 3600, '2 days ago'],
  ])('what was deployed %i seconds ago', (seconds, words) => {
    const source = make.source({
      updated_at: now / 1000 - seconds,
      active: false,
      code_hash: 'old',
    });
    expect(shown({ deployed: [source] })).toContain(`inactive, deployed ${words} · 4 events`);
  });
});

test('what several sources were made of is named by its file', () => {
  const lenses = lensesFor(state({ deployed: [deployed, another] }), now);
  expect(new Set(lenses.map(({ argument }) => argument))).toEqual(new Set([file]));
  expect(lensesFor(state({}), now)[0]?.argument).toBe(deployed.id);
});
