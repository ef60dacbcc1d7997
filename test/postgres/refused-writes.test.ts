/** A write that PostgreSQL refuses by itself, while the node goes on. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WholeExecution, Workflow } from '../../src/protocol/catalogue.ts';
import { postedStatus } from '../support/post.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { deploy, emitted, endpointPath, startNode } from './support/node.ts';

/** The server takes no row of `db` with this text in it. */
async function refuseInDb(postgres: TestPostgres, url: string, text: string): Promise<void> {
  await postgres.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.json LIKE '%${text}%' THEN RAISE 'refused by the test'; END IF; RETURN NEW; END $$`,
    url,
  );
  await postgres.query(
    'CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON db FOR EACH ROW EXECUTE FUNCTION refuse()',
    url,
  );
}

test('P9.14 the run after a refused one sees the db, and dedupe the ids, that are stored: of a source', async () => {
  const postgres = await startPostgres();
  const url = await postgres.newDatabase();
  const node = await startNode({ url });
  node.expectErrors(/could not be stored/, /refused by the test/);
  const code = `export default { name: 'Keeps', dedupe: 'unique',
    props: { http: '$.interface.http', db: '$.service.db' },
    run({ body }) {
      const before = this.db.get('k') ?? null;
      this.db.set('k', body.value);
      this.$emit({ before, value: body.value }, { id: body.id });
    } }`;
  const source = await deploy(node, code, 'Keeps');
  const endpoint = new URL(endpointPath(source), node.url).href;
  await refuseInDb(postgres, url, 'bad');
  const say = (value: string, id: string) => postedStatus(endpoint, { value, id });
  expect(await say('good', 'a')).toBe(200);
  await until('the first event', async () => (await emitted(node, source)).length === 1);
  expect(await say('bad', 'b')).toBe(200);
  await until('the refusal', () => node.output().includes('could not be stored'));
  // The same id: it was emitted by a run of which nothing is stored.
  expect(await say('next', 'b')).toBe(200);
  await expect
    .poll(() => emitted(node, source))
    .toEqual([
      { before: null, value: 'good' },
      { before: 'good', value: 'next' },
    ]);
});

test('P9.14 the same of a workflow', async () => {
  const postgres = await startPostgres();
  const url = await postgres.newDatabase();
  const node = await startNode({ url });
  node.expectErrors(/could not be stored/, /refused by the test/);
  const folder = join(node.folder, 'keeps');
  await mkdir(folder);
  const step = `export default { name: 'Keep', props: { db: '$.service.db' },
    run({ steps }) {
      const before = this.db.get('k') ?? null;
      this.db.set('k', steps.trigger.event.value);
      return before;
    } }`;
  await writeFile(join(folder, 'keep.mjs'), step);
  await writeFile(
    join(folder, 'workflow.yaml'),
    JSON.stringify({
      schema: 'workflow/2022.04',
      name: 'keeps',
      triggers: [],
      steps: [{ namespace: 'keep', uses: './keep.mjs' }],
    }),
  );
  const { id } = await node.restData<Workflow>('POST', '/v1/workflows', { workflow_path: folder });
  await refuseInDb(postgres, url, 'bad');
  const path = `/v1/workflows/${id}/executions`;
  const begin = (value: string) => node.rest('POST', path, { event: { value }, wait: true });
  expect((await begin('good')).status).toBe(200);
  expect((await begin('bad')).status).not.toBe(200);
  const { status, body } = await begin('next');
  expect(status).toBe(200);
  const { steps } = (body as { readonly data: WholeExecution }).data;
  expect(steps.find(({ namespace }) => namespace === 'keep')?.return_value).toBe('good');
});
