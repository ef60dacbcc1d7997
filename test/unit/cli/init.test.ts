import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { newComponent } from '../../../src/cli/templates.ts';

const plain = { typescript: false, db: false, http: false, timer: false };

test.each([
  ['source', 'New Orders!', false, 'new-orders/new_orders.mjs'],
  ['action', 'Post', true, 'post/post.ts'],
  ['app', 'Google Calendar', false, 'google_calendar/google_calendar.app.mjs'],
  ['source', 'Ärger 東京', false, 'ärger-東京/ärger_東京.mjs'],
  ['source', '../../etc/passwd', false, 'etc-passwd/etc_passwd.mjs'],
] as const)('%s "%s", TypeScript %s: %s', (kind, name, typescript, path) => {
  expect(newComponent(kind, { ...plain, name, typescript }).path).toBe(path);
});

test.each([
  { ...plain },
  { ...plain, http: true, db: true },
  { ...plain, timer: true, db: true },
  { ...plain, http: true, timer: true, typescript: true },
])('a source with %o has the props it was asked for', async (options) => {
  const { text } = newComponent('source', { ...options, name: 'Quotes " and ` and ${}' });
  const { http, timer, db, typescript } = options;
  await transform(text, { loader: typescript ? 'ts' : 'js' });
  expect(text.includes('$.interface.http')).toBe(http);
  expect(text.includes('$.interface.timer')).toBe(timer);
  expect(text.includes('$.service.db')).toBe(db);
  expect(text.includes('weir/component')).toBe(typescript);
});
