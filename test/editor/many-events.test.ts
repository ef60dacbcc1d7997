import { match, strictEqual } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../support/until.ts';
import { row } from './support/rows.ts';
import { hello, inWorkspace, post, startAfresh, weir } from './support/weir.ts';

/** As many as are kept of a source; how fast they scroll is measured in bench/. */
const many = 10_000;
const perPage = 500;

suite('ten thousand events', function () {
  this.timeout(240_000);
  let endpoint: string;
  suiteSetup(async () => {
    await startAfresh();
    ({ endpoint_url: endpoint } = await hello());
    const file = inWorkspace('components', 'flood.mjs');
    await writeFile(
      file,
      `export default {
        name: "Flood",
        type: "source",
        run() {
          for (let n = 1; n <= ${many}; n++) this.$emit({ n }, { summary: "Event number " + n + "." });
        },
      };`,
    );
    const { runtime } = await weir();
    const { id } = await runtime.call('sources.deploy', { component_path: file });
    await runtime.call('sources.invoke', { id });
    await (await row('Sources', 'Flood')).first().click();
    await (await row('Events', 'Event number 10000.')).waitFor();
  });

  test('are read page by page, and all of them can be shown', async () => {
    for (let shown = 100; shown < many; shown += perPage) {
      await vscode.commands.executeCommand('weir.showMoreEvents');
    }
    await vscode.commands.executeCommand('weir.events.focus');
    const oldest = await row('Events', 'Event number 1.');
    await until('the oldest one', async () => {
      await vscode.commands.executeCommand('list.focusLast');
      return (await oldest.count()) > 0;
    });
    strictEqual(await (await row('Events', 'Show more…')).count(), 0);
  });

  test('have ages that go on at the end of the list, which stays where it is', async () => {
    const oldest = await row('Events', 'Event number 1.');
    await oldest.click();
    const place = async (): Promise<number> => Math.round((await oldest.boundingBox())?.y ?? 0);
    const [before, age] = [await place(), await oldest.innerText()];
    await until('another age', async () => (await oldest.innerText()) !== age, 150_000);
    strictEqual(await place(), before);
    match((await oldest.getAttribute('class')) ?? '', /selected/);
  });

  test('go on coming while all of them are shown', async () => {
    await vscode.commands.executeCommand('weir.showAllEvents');
    await vscode.commands.executeCommand('weir.showNewEvents');
    await post(endpoint, { id: 1, customer: 'Last' });
    await (await row('Events', 'Order 1 from Last')).waitFor();
  });
});
