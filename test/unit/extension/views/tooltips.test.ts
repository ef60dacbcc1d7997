import { expect, test, vi } from 'vitest';
import { runTooltip, sourceTooltip } from '../../../../src/extension/views/tooltips.ts';
import * as make from '../make.ts';

vi.mock('vscode', () => import('../fake-vscode/vscode.ts'));

test('what strangers ask an endpoint for is text in the tooltip of its run', () => {
  const path = '/![x](https://example.com/seen.png)';
  const { value } = runTooltip(make.invocation({ request: { method: 'GET', path } }));
  expect(value).toContain('GET /');
  expect(value).not.toContain('![x](');
  expect(value).toContain('`inv_1`');
});

test('a source whose app sends events says where one enters its address, and what is lacking', async () => {
  const shown = async (webhook: ReturnType<typeof make.sourceWebhook>) =>
    (await sourceTooltip(make.source({ webhook }), 0)).value;
  const lacking = await shown(make.sourceWebhook({ has_secret: false }));
  expect(lacking).toContain('http://127.0.0.1:1/h/ah_1');
  expect(lacking).toContain('Enter it at Slack.');
  expect(lacking).toContain('until the Signing Secret is entered');
  const register = 'At https://api.slack.com/apps, enter it in your app.';
  expect(await shown(make.sourceWebhook({ register }))).toContain('<https://api.slack.com/apps>');
  expect(await shown(make.sourceWebhook())).not.toContain('until');
  expect(await shown(make.sourceWebhook({ url: null }))).toContain('Without an account');
});
