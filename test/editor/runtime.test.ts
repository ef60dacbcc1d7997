import { notStrictEqual, strictEqual } from 'node:assert';
import { existsSync } from 'node:fs';
import { until } from '../support/until.ts';
import { row } from './support/rows.ts';
import { runCommand, screenshot, workbench } from './support/ui.ts';
import { hello, inWorkspace, post, runtimeFile, startAfresh, weir } from './support/weir.ts';

suite('the runtime', () => {
  suiteSetup(startAfresh);

  test('Stop ends it and says so; Restart brings everything back to where it was', async () => {
    const source = await hello();
    const before = await runtimeFile();
    await runCommand('Weir: Stop Runtime');
    const page = await workbench();
    await page.locator('.statusbar-item', { hasText: 'Weir: stopped' }).waitFor();
    await until('its address to go', () => !existsSync(inWorkspace('.weir', 'runtime.json')));
    strictEqual((await weir()).runtime.url, undefined);
    await page
      .getByText('The runtime is stopped: no source runs until you restart it.')
      .first()
      .waitFor();
    await screenshot('stopped');

    await runCommand('Weir: Restart Runtime');
    await page.locator('.statusbar-item', { hasText: 'Weir: 1 source' }).waitFor();
    const now = await runtimeFile();
    notStrictEqual(now.pid, before.pid);
    strictEqual((await post(source.endpoint_url, { id: 1, customer: 'Ada' })).status, 200);
    await (await row('Events', 'Order 1 from Ada')).waitFor();
  });

  test('its changes reach other extensions through the API, in batches', async () => {
    const { runtime } = await weir();
    const source = await hello();
    const seen: string[] = [];
    const listening = runtime.on('changes', (batch) => {
      seen.push(...batch.map(({ type }) => type));
    });
    await post(source.endpoint_url, { id: 2, customer: 'Grace' });
    await until('the event', () => seen.includes('event'));
    listening.dispose();
    const heard = seen.length;
    await post(source.endpoint_url, { id: 3, customer: 'Hedy' });
    await (await row('Events', 'Order 3 from Hedy')).waitFor();
    strictEqual(seen.length, heard);
  });

  test('an operation that fails rejects with its code', async () => {
    const { runtime } = await weir();
    const failed = await runtime.call('sources.get', { id: 'dc_nothere' }).then(
      () => undefined,
      (error: unknown) => error as { code: string; message: string },
    );
    strictEqual(failed?.code, 'not_found');
  });
});
