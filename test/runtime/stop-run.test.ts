/** Runs that are going on are ended by hand, by switching off and by deleting (P12.21, P12.22). */
import { describe, expect, test } from 'vitest';
import type {
  DebuggedProcess,
  EmittedEvent,
  Invocation,
  Result,
} from '../../src/protocol/catalogue.ts';
import type { Page, Source } from '../../src/protocol/catalogue.ts';
import { attach } from './support/inspector.ts';
import { post } from '../support/post.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();

type Stopped = Result<'invocations.stop'>;

const deploy = async (name: string, code: string) =>
  runtime.restData<Source>('POST', '/v1/sources', {
    component_path: await runtime.file(`${name}.mjs`, code),
    name,
  });
const page = async <T>(path: string) => ((await runtime.rest('GET', path)).body as Page<T>).data;
const runsOf = (id: string) => page<Invocation>(`/v1/sources/${id}/invocations`);
const logged = (id: string, text: string) =>
  until(`"${text}" in the log`, async (seen) =>
    seen(await page<{ text: string }>(`/v1/sources/${id}/logs`)).some((line) => line.text === text),
  );
const stop = (id: string, run: string) =>
  runtime.rest('POST', `/v1/sources/${id}/invocations/${run}/stop`);

/** Emits, writes and logs first and answers then; it goes on for ever when its caller asks for that. */
const endless = `export default {
  props: { db: '$.service.db', http: { type: '$.interface.http', customResponse: true } },
  async run({ path }) {
    this.db.set('seen', (this.db.get('seen') ?? 0) + 1);
    this.$emit({ seen: this.db.get('seen') });
    console.log('going on');
    this.http.respond({ status: 200 });
    if (path === '/wait') await new Promise(() => setInterval(() => {}, 1000));
  },
}`;

describe('a run that goes on', () => {
  test('ends as cancelled; what it had sent is kept, and the next one builds on it', async () => {
    const { id, endpoint_url: url } = await deploy('Endless', endless);
    // What it sent before it answered has arrived with the answer.
    expect((await post(`${url}/wait`, {})).status).toBe(200);
    const [run] = await runsOf(id);
    const { status, body } = await stop(id, run?.id ?? '');
    const stopped = (body as { data: Stopped }).data;
    expect(status).toBe(200);
    expect(stopped).toMatchObject({
      id: run?.id,
      status: 'cancelled',
      error: { name: 'Cancelled', message: 'was stopped by hand' },
    });
    expect(stopped.emitted.map(({ event }) => event)).toEqual([{ seen: 1 }]);
    expect(stopped.logs.map(({ text }) => text)).toContain('going on');
    expect((await post(url!, {})).status).toBe(200);
    const events = await until('the second event', async (seen) => {
      const all = seen(await page<EmittedEvent>(`/v1/sources/${id}/event_summaries?expand=event`));
      return all.length === 2 && all;
    });
    expect(events.map(({ event }) => event)).toEqual([{ seen: 2 }, { seen: 1 }]);
  });

  test('one that blocks its process ends, too, and one that waits behind it never begins', async () => {
    const { id } = await deploy(
      'Blocked',
      `export default { run(event) { this.$emit(event); while (event.block) {} } }`,
    );
    const first = runtime.rest('POST', `/v1/sources/${id}/invocations`, { event: { block: 1 } });
    const second = runtime.rest('POST', `/v1/sources/${id}/invocations`, { event: { n: 2 } });
    const runs = await until('both', async (seen) => {
      const all = seen(await runsOf(id));
      return all.length === 2 && all.some(({ status }) => status === 'running') && all;
    });
    const waits = runs.find(({ status }) => status === 'queued');
    const goesOn = runs.find(({ status }) => status === 'running');
    const ended = ((await stop(id, waits?.id ?? '')).body as { data: Stopped }).data;
    expect(ended).toMatchObject({ status: 'cancelled', emitted: [] });
    expect((await stop(id, goesOn?.id ?? '')).status).toBe(200);
    await Promise.all([first, second]);
    expect((await runsOf(id)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  test('requests beside it run again however often that happens, and answer their callers', async () => {
    const { id, endpoint_url: url } = await deploy(
      'Beside',
      `export default {
        props: { http: { type: '$.interface.http', customResponse: true } },
        async run({ path }) {
          console.log('began ' + path);
          await new Promise((go) => setTimeout(go, path === '/slow' ? 3000 : 1e8));
          this.http.respond({ status: 200, body: path });
        },
      }`,
    );
    const slow = post(`${url}/slow`, {});
    for (let stops = 1; stops <= 3; stops += 1) {
      const stuck = post(`${url}/stuck-${stops}`, {});
      const run = await until('the stuck run', async (seen) => {
        const runs = seen(await runsOf(id)).filter(({ status }) => status === 'running');
        return runs.length === 2 && runs[0];
      });
      expect((await stop(id, run.id)).status).toBe(200);
      // Callers send again what is answered 503 (P7.52).
      expect((await stuck).status).toBe(503);
    }
    expect(await (await slow).text()).toBe('/slow');
    const [first] = (await runsOf(id)).slice(-1);
    expect(first).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  test('one that has ended cannot be stopped; an unknown one is not found', async () => {
    const { id } = await deploy('Ended', endless);
    await runtime.restData('POST', `/v1/sources/${id}/invocations`, { event: {} });
    const [run] = await runsOf(id);
    const answer = await stop(id, run?.id ?? '');
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ error: `${run?.id} has ended already: it succeeded.` });
    expect((await stop(id, 'inv_999999')).status).toBe(404);
  });

  test('from a terminal: all that go on, or those named', async () => {
    const { id, endpoint_url: url } = await deploy('Terminal', endless);
    await post(`${url}/wait`, {});
    const { code, stdout } = await runtime.weir('stop', 'terminal');
    expect([code, stdout.trim()]).toEqual([0, expect.stringMatching(/^inv_\d+ {2}cancelled$/)]);
    expect((await runtime.weir('stop', 'terminal')).stdout).toContain('No run is going on.');
    const again = await runtime.weir('stop', 'terminal', (await runsOf(id))[0]?.id ?? '');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has ended already')]);
  });

  test('from a terminal: one that has ended keeps no other from being stopped', async () => {
    const { id, endpoint_url: url } = await deploy('Mixed', endless);
    expect((await post(`${url}/wait`, {})).status).toBe(200);
    const [old] = await runsOf(id);
    for (let n = 0; n < 12; n++) await post(url!, {});
    const [ended] = await runsOf(id);
    // However many came after it, and without those.
    const running = await page<Invocation>(`/v1/sources/${id}/invocations?status=running`);
    expect(running.map((run) => run.id)).toEqual([old?.id]);
    const both = await runtime.weir('stop', 'mixed', ended?.id ?? '', old?.id ?? '');
    expect(both).toMatchObject({ code: 1, stdout: `${old?.id}  cancelled\n` });
    expect(both.stderr).toContain(`${ended?.id} has ended already`);
    expect(await page(`/v1/sources/${id}/invocations?status=running`)).toEqual([]);
  });
});

describe('a source that goes off', () => {
  const hooked = `export default {
    props: { http: '$.interface.http' },
    hooks: { deactivate() { console.log('deactivated'); } },
    run() { console.log('began'); while (true) {} },
  }`;

  test('waits for its runs, says so, then ends them and all that wait, and its hook runs', async () => {
    const client = await runtime.connect();
    const { id, endpoint_url: url } = await deploy('Off', hooked);
    const run = runtime.rest('POST', `/v1/sources/${id}/invocations`, { event: {} });
    const waits = runtime.rest('POST', `/v1/sources/${id}/invocations`, { event: {} });
    await until('the run', async () =>
      (await runsOf(id)).some(({ status }) => status === 'running'),
    );
    const said: string[] = [];
    const progress = (message: string) => void said.push(message);
    const updated = await client.call('sources.update', { id, active: false }, { progress });
    expect(said).toContain('Waiting for a run of Off to end');
    expect(updated.active).toBe(false);
    await Promise.all([run, waits]);
    const runs = await runsOf(id);
    expect(runs.map(({ hook, status }) => [hook, status])).toEqual([
      ['deactivate', 'succeeded'],
      [null, 'cancelled'],
      [null, 'cancelled'],
    ]);
    expect(runs[1]?.error).toMatchObject({ name: 'Inactive' });
    expect(runs[2]?.error).toMatchObject({ message: 'the source was switched off' });
    await logged(id, 'deactivated');
    expect((await fetch(url!)).status).toBe(404);
  }, 30_000);

  // It is given less time than a process waits for a debugger.
  test.each(['delete', 'switch off'])(
    '%s answers while it waits for a debugger',
    async (how) => {
      const client = await runtime.connect();
      const waiting: DebuggedProcess[] = [];
      client.onChanges((batch) => {
        for (const change of batch) if (change.type === 'debug') waiting.push(change.process);
      });
      const { id } = await deploy(`Waits ${how}`, hooked.replace('while (true) {}', ''));
      await client.call('debug.start', { id });
      await until('a process that waits', () => waiting.length > 0);
      if (how === 'delete') {
        await runtime.restData('DELETE', `/v1/sources/${id}`);
        expect((await runtime.rest('GET', `/v1/sources/${id}`)).status).toBe(404);
      } else {
        const source = await client.call('sources.update', { id, active: false });
        expect(source).toMatchObject({ active: false });
        await logged(id, 'deactivated');
      }
    },
    10_000,
  );
});

describe('a change that is cancelled', () => {
  test('an update lets go of a run that a debugger holds, and so does what waits behind it', async () => {
    const client = await runtime.connect();
    const waiting: DebuggedProcess[] = [];
    client.onChanges((batch) => {
      for (const change of batch) if (change.type === 'debug') waiting.push(change.process);
    });
    const attachNext = async () => {
      const { url } = await until('a process that waits', () => waiting.shift());
      const inspector = await attach(url);
      await inspector.begin();
      return inspector;
    };
    const { id, endpoint_url: url } = await deploy('Held', endless);
    await client.call('debug.start', { id });
    await attachNext();
    await post(`${url}/wait`, {});

    const changed = await runtime.file('Held.mjs', `${endless} // changed`);
    const cancel = new AbortController();
    const said: string[] = [];
    const options = { signal: cancel.signal, progress: (step: string) => void said.push(step) };
    const update = client.call('sources.update', { id, component_path: changed }, options);
    await attachNext();
    await until('the wait', () => said.some((step) => step.startsWith('Waiting for a run')));
    expect(said.at(-1)).toBe('Waiting for a run of Held to end, which a debugger may hold up');
    const behind = client.call('sources.update', { id, active: false }, options);
    await until('the second wait', () => said.at(-1)?.startsWith('Waiting for another change'));
    cancel.abort();
    await expect(update).rejects.toMatchObject({ code: 'cancelled' });
    await expect(behind).rejects.toMatchObject({ code: 'cancelled' });

    // Neither has changed anything, and neither is in the way of what comes now.
    expect(await client.call('sources.update', { id, name: 'Held on' })).toMatchObject({
      active: true,
    });
    expect((await post(url!, {})).status).toBe(200);
    const { code } = await client.call('sources.get', { id, include_code: true });
    expect(code).not.toContain('// changed');
  }, 30_000);

  test.each(['delete', 'switch off'])(
    '%s ends a deactivate hook that goes on and on',
    async (how) => {
      const client = await runtime.connect();
      const { id } = await deploy(
        `Hangs ${how}`,
        `export default { run() {},
        hooks: { async deactivate() { console.log('hangs'); await new Promise(() => setInterval(() => {}, 1000)); } } }`,
      );
      const cancel = new AbortController();
      const options = { signal: cancel.signal };
      const change =
        how === 'delete'
          ? client.call('sources.delete', { id }, options)
          : client.call('sources.update', { id, active: false }, options);
      await until('the hook', async () => (await runsOf(id))[0]?.status === 'running');
      cancel.abort();
      await expect(change).rejects.toMatchObject({ code: 'cancelled' });
      const source = await client.call('sources.update', { id, name: `Let go ${how}` });
      // A hook that failed does not keep a source switched on (P12.19).
      expect(source.active).toBe(how === 'delete');
      expect((await runsOf(id))[0]).toMatchObject({ hook: 'deactivate', status: 'cancelled' });
    },
  );
});
