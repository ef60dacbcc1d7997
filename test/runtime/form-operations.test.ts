import { beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../src/client/connection.ts';
import { useRuntime } from '../support/runtime.ts';

/** What the editor's form asks beyond options and props: endpoints before a deploy, code to come. */
let client: Connection;
const runtime = useRuntime();

beforeAll(async () => {
  client = await runtime.connect();
});

const hook = `export default { props: { http: '$.interface.http' }, run(event) { this.$emit(event.body); },
  hooks: { async activate() { if (this.http.endpoint !== ENDPOINT) throw new Error(this.http.endpoint); } } }`;

test('an endpoint is known before the deploy, answers from then on, and is nobody else’s', async () => {
  const { id, endpoint_url: url } = await client.call('endpoints.reserve', {});
  expect((await fetch(url)).status).toBe(404);
  expect(await client.call('endpoints.reserve', { id })).toEqual({ id, endpoint_url: url });
  const code = hook.replace('ENDPOINT', JSON.stringify(url));
  const component_path = await runtime.file('reserved.mjs', code);
  const deploy = { component_path, endpoints: { http: id } };
  const source = await client.call('sources.deploy', deploy);
  expect(source.endpoint_url).toBe(url);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(200);
  await expect(client.call('sources.deploy', deploy)).rejects.toMatchObject({ code: 'conflict' });
});

test('a deploy that failed leaves the endpoint free for the next try', async () => {
  const { id, endpoint_url: url } = await client.call('endpoints.reserve', {});
  const component_path = await runtime.file('again.mjs', hook.replace('ENDPOINT', '"other"'));
  const deploy = { component_path, endpoints: { http: id } };
  await expect(client.call('sources.deploy', deploy)).rejects.toMatchObject({
    code: 'component_failed',
  });
  await runtime.file('again.mjs', hook.replace('ENDPOINT', JSON.stringify(url)));
  expect((await client.call('sources.deploy', deploy)).endpoint_url).toBe(url);
});

test('new code of a source is asked with what the source has stored, secrets too', async () => {
  const props = `token: { type: 'string', secret: true }`;
  const component_path = await runtime.file(
    'grows.mjs',
    `export default { props: { ${props} }, run() {} }`,
  );
  const source = await client.call('sources.deploy', {
    component_path,
    configured_props: { token: 'hush' },
  });
  await runtime.file(
    'grows.mjs',
    `export default { run() {}, props: { ${props}, fresh: { type: 'string', options() { return [this.token.length]; } } } }`,
  );
  const { options } = await client.call('components.configure', {
    id: source.id,
    component_path,
    prop_name: 'fresh',
    configured_props: { token: { secret: true } },
  });
  expect(options).toEqual([{ label: '4', value: 4 }]);
  const refused = client.call('sources.update', { id: source.id, component_path });
  await expect(refused).rejects.toMatchObject({
    code: 'bad_input',
    details: [{ prop: 'fresh', message: 'fresh is required.' }],
  });
});

test('what can make props of its values says so', async () => {
  const inspect = async (code: string) =>
    (
      await client.call('components.inspect', {
        component_path: await runtime.file(`dynamic-${code.length}.mjs`, code),
      })
    ).has_additional_props;
  expect(await inspect('export default { run() {} }')).toBe(false);
  expect(await inspect('export default { run() {}, additionalProps() {} }')).toBe(true);
});
