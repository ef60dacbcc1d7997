import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { EmittedEvent, LogLine, Page, Source } from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

/** Order of hooks, what survives what, and what a failure leaves behind (P12). */
const runtime = useRuntime();

const deploy = (path: string, more: object = {}) =>
  runtime.restData<Source>('POST', '/v1/sources', { component_path: path, ...more });
const texts = async (id: string, kind: LogLine['kind'] = 'console') => {
  const { body } = await runtime.rest('GET', `/v1/sources/${id}/logs?limit=100`);
  const lines = (body as Page<LogLine>).data;
  return lines
    .filter((line) => line.kind === kind)
    .map((line) => line.text)
    .toReversed();
};
const events = async (id: string) => {
  const { body } = await runtime.rest(
    'GET',
    `/v1/sources/${id}/event_summaries?expand=event&limit=100`,
  );
  return (body as Page<EmittedEvent>).data.toReversed();
};

const hooked = (version: string, extra = '') => `export default {
  name: 'Hooked', dedupe: 'unique', props: { http: '$.interface.http', db: '$.service.db' },
  hooks: {
    async deploy() { console.log('deploy ${version}', this.http.endpoint.startsWith('http')) },
    async activate() { console.log('activate ${version}') },
    async deactivate() { console.log('deactivate ${version}') },
  },
  run({ body }) {
    const seen = (this.db.get('seen') ?? 0) + 1;
    this.db.set('seen', seen);
    this.$emit({ seen, version: '${version}' }, { id: body.id });
  },
  ${extra}
}`;

describe('the order of hooks', () => {
  test('deploy, activate; update: deactivate (old), activate (new); id, endpoint, db and dedupe stay', async () => {
    const path = await runtime.file('hooked.mjs', hooked('one'));
    const source = await deploy(path);
    await fetch(source.endpoint_url!, { method: 'POST', body: '{"id":1}', headers: json });
    await until('the event', async () => (await events(source.id)).length === 1);

    await writeFile(path, hooked('two'));
    const updated = await runtime.restData<Source>('PUT', `/v1/sources/${source.id}`, {
      component_path: path,
    });
    expect([updated.id, updated.endpoint_url]).toEqual([source.id, source.endpoint_url]);
    for (const id of [1, 2]) {
      await fetch(source.endpoint_url!, {
        method: 'POST',
        body: JSON.stringify({ id }),
        headers: json,
      });
    }
    const found = await until('the second event', async () => {
      const all = await events(source.id);
      return all.length === 2 && all;
    });
    expect(found.map(({ event }) => event)).toEqual([
      { seen: 1, version: 'one' },
      { seen: 3, version: 'two' },
    ]);
    expect(await texts(source.id, 'drop')).toHaveLength(1);
    expect(await texts(source.id)).toEqual([
      'deploy one true',
      'activate one',
      'deactivate one',
      'activate two',
    ]);
  });

  test('switched off: deactivate, endpoint gone; on again: activate, no deploy; deleted: everything gone', async () => {
    const source = await deploy(await runtime.file('switch.mjs', hooked('x')), {
      name: 'Switch',
    });
    await runtime.restData('PUT', `/v1/sources/${source.id}`, { active: false });
    expect((await fetch(source.endpoint_url!, { method: 'POST' })).status).toBe(404);
    await runtime.restData('PUT', `/v1/sources/${source.id}`, { active: true });
    expect(
      (await fetch(source.endpoint_url!, { method: 'POST', body: '{"id":1}', headers: json }))
        .status,
    ).toBe(200);
    expect(await texts(source.id)).toEqual([
      'deploy x true',
      'activate x',
      'deactivate x',
      'activate x',
    ]);
    await runtime.restData('DELETE', `/v1/sources/${source.id}`);
    expect((await runtime.rest('GET', `/v1/sources/${source.id}`)).status).toBe(404);
    expect((await fetch(source.endpoint_url!, { method: 'POST' })).status).toBe(404);
  });

  test('a failing deploy hook: 422 with observations, and nothing left behind', async () => {
    const code = `export default { name: 'Fails', hooks: { async deploy() { console.log('trying'); throw new Error('no such team') } }, run() {} }`;
    const path = await runtime.file('fails.mjs', code);
    const { status, body } = await runtime.rest('POST', '/v1/sources', { component_path: path });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'component_failed',
      error: expect.stringContaining('no such team'),
    });
    expect((body as { details: { message: string }[] }).details[0]?.message).toBe('trying');
    expect((await runtime.rest('GET', '/v1/sources/fails')).status).toBe(404);
  });

  test('a failing deactivate hook keeps the source, unless it is to be ignored', async () => {
    const code = `export default { name: 'Stays', hooks: { deactivate() { throw new Error('cannot remove') } }, run() {} }`;
    await deploy(await runtime.file('stays.mjs', code));
    expect((await runtime.rest('DELETE', '/v1/sources/stays')).status).toBe(422);
    expect((await runtime.rest('GET', '/v1/sources/stays')).status).toBe(200);
    expect((await runtime.rest('DELETE', '/v1/sources/stays?ignore_hook_errors=true')).status).toBe(
      200,
    );
  });
});

describe('an endpoint', () => {
  test('answers the caller while the activate hook still waits for it (P7.34)', async () => {
    const code = `export default { name: 'Verified', props: { http: { type: '$.interface.http', customResponse: true } },
      hooks: { async activate() { const r = await fetch(this.http.endpoint + '/check?token=abc'); console.log(r.status, await r.text()) } },
      run({ query, path }) { this.http.respond({ status: 202, body: query.token + path }) } }`;
    const source = await deploy(await runtime.file('verified.mjs', code));
    expect(await texts(source.id)).toEqual(['202 abc/check']);
  });

  test('customResponse and nobody answers: 400 (P7.25); without it 200 even if run throws (P7.23)', async () => {
    const silent = await deploy(
      await runtime.file(
        'silent.mjs',
        `export default { name: 'Silent', props: { http: { type: '$.interface.http', customResponse: true } }, run() {} }`,
      ),
    );
    expect((await fetch(silent.endpoint_url!)).status).toBe(400);
    const throwing = await deploy(
      await runtime.file(
        'throwing.mjs',
        `export default { name: 'Throwing', props: { http: '$.interface.http' }, run() { throw new Error('boom') } }`,
      ),
    );
    expect((await fetch(throwing.endpoint_url!)).status).toBe(200);
    await until('the error', async () =>
      (await texts(throwing.id, 'error')).some((text) => text.includes('boom')),
    );
  });

  test('takes nothing above the limit', async () => {
    const source = await deploy(
      await runtime.file(
        'limit.mjs',
        `export default { name: 'Limit', props: { http: '$.interface.http' }, run() {} }`,
      ),
    );
    const answer = await fetch(source.endpoint_url!, {
      method: 'POST',
      body: 'x'.repeat(600 * 1024),
    });
    expect(answer.status).toBe(413);
  });
});

describe('names', () => {
  test('a taken slug gets a number; a rename changes the slug', async () => {
    const path = await runtime.file(
      'named.mjs',
      `export default { name: 'My, Source!', run() {} }`,
    );
    const slugs = [await deploy(path), await deploy(path)].map(({ name_slug }) => name_slug);
    expect(slugs).toEqual(['my-source', 'my-source-1']);
    const renamed = await runtime.restData<Source>('PUT', '/v1/sources/my-source-1', {
      name: 'Other',
    });
    expect(renamed.name_slug).toBe('other');
  });
});

describe('bad input is one sentence that names the file', () => {
  test.each([
    ['no component', 'none.mjs', 'export default 42', 'none.mjs'],
    ['a syntax error', 'syntax.mjs', 'export default {{{', 'syntax.mjs'],
    [
      'an import that is not there',
      'missing.mjs',
      `import x from './nowhere.mjs'; export default { run: x }`,
      './nowhere.mjs',
    ],
    [
      'an unknown dedupe',
      'dedupe.mjs',
      `export default { name: 'D', dedupe: 'never', run() {} }`,
      'never',
    ],
    ['a file that throws', 'throws.mjs', `throw new Error('top level')`, 'top level'],
  ])('%s', async (_what, name, code, expected) => {
    const path = await runtime.file(name, code);
    const { status, body } = await runtime.rest('POST', '/v1/sources', { component_path: path });
    expect(status).toBe(400);
    expect((body as { error: string }).error).toContain(expected);
  });

  test('a required prop that is missing is named', async () => {
    const path = await runtime.file(
      'needs.mjs',
      `export default { name: 'Needs', props: { team: 'string' }, run() {} }`,
    );
    const { status, body } = await runtime.rest('POST', '/v1/sources', { component_path: path });
    expect([status, (body as { details: { prop: string }[] }).details[0]?.prop]).toEqual([
      400,
      'team',
    ]);
  });
});

const json = { 'content-type': 'application/json' };
