import { expect, test, vi } from 'vitest';
import { runTooltip } from '../../../../src/extension/views/tooltips.ts';
import * as make from '../make.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

test('what strangers ask an endpoint for is text in the tooltip of its run', () => {
  const path = '/![x](https://example.com/seen.png)';
  const { value } = runTooltip(make.invocation({ request: { method: 'GET', path } }));
  expect(value).toContain('GET /');
  expect(value).not.toContain('![x](');
  expect(value).toContain('`inv_1`');
});
