import { expect, test } from 'vitest';
import { shownPath } from '../../../../src/runtime/server/requested.ts';

const id = 'hi_8aZk2LmQ0p';

test.each([
  `/h/${id}`,
  `/h/${id}/a/b?c=d`,
  `//h/${id}`,
  `/H/${id}`,
  `/./h/${id}`,
  `/%68/${id}`,
  `/%2568/${id}`,
  `/%2F%68%2F${id}`,
  `/v1/../h/${id}`,
  `/v1/%2e%2e/h/${id}`,
  `/v1%2f..%2fh/${id}`,
  `\\h\\${id}`,
  `/${id}`,
  `/x/h/${id}`,
  `/h/resume_8aZk2LmQ0p/resume`,
  `/hooks/${id}`,
  `/#/h/${id}`,
])('the address of an endpoint is not written down, however it is spelled: %s', (target) => {
  expect(shownPath(target)).not.toMatch(/hi_|8aZk/i);
});

test.each([
  '/v1/sources/dc_8aZk2LmQ0p/events',
  '/v1/workflows/p_8aZk2LmQ0p',
  '/metrics',
  '/',
  '/mcp',
])('the path of the API is written down, without its query: %s', (path) => {
  expect(shownPath(`${path}?key=secret`)).toBe(path);
});
