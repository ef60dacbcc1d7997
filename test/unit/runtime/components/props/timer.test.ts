import { expect, test } from 'vitest';
import type { ConfigurableProp } from '../../../../../src/protocol/definition.ts';
import { timerOf, type TimerSchedule } from '../../../../../src/runtime/components/props/timer.ts';

const prop = (rest: object): ConfigurableProp => ({
  name: 't',
  type: '$.interface.timer',
  ...rest,
});
const every = (intervalSeconds: number) => ({ intervalSeconds });

test.each<[string, ConfigurableProp, unknown, TimerSchedule | undefined]>([
  ['the default', prop({ default: every(900) }), undefined, every(900)],
  ['configured before the default', prop({ default: every(900) }), every(60), every(60)],
  ['as replies spell it', prop({}), { interval_seconds: 60, cron: null }, every(60)],
  ['a number in a text', prop({}), { intervalSeconds: '60' }, every(60)],
  ['cron', prop({}), { cron: ' 0 9 * * 1 ' }, { cron: '0 9 * * 1' }],
  [
    'cron with a time zone',
    prop({}),
    { cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
    { cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
  ],
  [
    'cron before an interval',
    prop({}),
    { cron: '0 9 * * 1', intervalSeconds: 5 },
    { cron: '0 9 * * 1' },
  ],
  [
    'static before what is configured',
    prop({ static: every(30), default: every(900) }),
    every(60),
    every(30),
  ],
  ['the spelling of 2020, interval', prop({ intervalSeconds: 30 }), undefined, every(30)],
  ['the spelling of 2020, cron', prop({ cron: '0 9 * * *' }), undefined, { cron: '0 9 * * *' }],
  ['nothing given', prop({}), undefined, undefined],
  ['nothing that is a schedule', prop({}), { intervalSeconds: -1 }, undefined],
  ['an empty cron', prop({}), { cron: '' }, undefined],
])('%s', (_what, timer, configured, expected) => {
  expect(timerOf(timer, configured)).toEqual(expected);
});
