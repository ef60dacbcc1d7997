/** Folders as git-sync writes them, with what is on the platform and not here. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Workflow } from '../../../src/protocol/catalogue.ts';
import { endpointOf, stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

/** Writes the files of a folder, byte for byte. @returns its path */
async function folderOf(
  name: string,
  yaml: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(world.folder, name);
  const all = { ...files, 'workflow.yaml': `schema: workflow/2022.04\nname: ${name}\n${yaml}` };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const echo = {
  'echo/entry.js':
    'export default defineComponent({\n  async run({ steps, $ }) {\n    return steps.trigger.event\n  },\n})\n',
};
const echoing = "steps:\n- namespace: echo\n  runtime: nodejs20.x\n  uses: './echo/entry.js'\n";

test('sources and workflows that it listens to and that are not here: it is deployed, says so, and runs by hand', async () => {
  const yaml = `settings:
  error_notification: true
triggers:
- id: dc_notHere1
- id: p_notHere2
- id: sub_notHere3
  uses: sc_notHere4
  props:
    box:
      authProvisionId: apn_notHere5
    recursive: true
${echoing}`;
  const folder = await folderOf('listening', yaml, echo);
  const workflow = await world.deployFolder(folder);
  expect(workflow.triggers).toMatchObject(
    ['dc_notHere1', 'p_notHere2', 'sub_notHere3'].map((id) => ({ type: 'unknown', id })),
  );
  const message = expect.stringMatching(
    /dc_notHere1 is a source that is not deployed here.*"emitter"/,
  ) as string;
  const warnings = expect.arrayContaining([expect.objectContaining({ message })]) as unknown[];
  expect(workflow).toMatchObject({ warnings });
  const execution = await world.run(workflow, { path: '/in/a.txt' });
  expect(stepOf(execution, 'echo').return_value).toEqual({ path: '/in/a.txt' });
});

test('what is named by hand and not here is still a mistake', async () => {
  const yaml = `triggers:\n- id: dc_notHere1\n  props: {emitter: New files}\n${echoing}`;
  const folder = await folderOf('misnamed', yaml, echo);
  const { status, body } = await world.runtime.rest('POST', '/v1/workflows', {
    workflow_path: folder,
  });
  expect([status, JSON.stringify(body)]).toEqual([
    400,
    expect.stringMatching(/the trigger New files is not here: deploy that source first/),
  ]);
});

test('the source of a trigger is named by its id, its slug or its name, which only one may have', async () => {
  const source = () =>
    world.runtime.restData<{ id: string; name_slug: string }>('POST', '/v1/sources', {
      component_code: 'export default { props: {}, run(event) { this.$emit({ got: event.n }); } };',
      name: 'Neue Dateien',
    });
  const first = await source();
  const deploy = async (emitter: string) => {
    const yaml = `triggers:\n- id: dc_notHere1\n  props: {emitter: ${emitter}}\n${echoing}`;
    const folder = await folderOf('named', yaml, echo);
    return world.runtime.rest('POST', '/v1/workflows', { workflow_path: folder });
  };
  for (const emitter of [first.id, first.name_slug, 'Neue Dateien']) {
    const { status, body } = await deploy(emitter);
    expect([emitter, status]).toEqual([emitter, 200]);
    const { data } = body as { data: Workflow };
    const before = (await world.executions(data)).length;
    await world.runtime.weirJson('invoke', first.id, '--event', '{"n":7}');
    const [newest] = (await world.allEnded(data, before + 1)).toReversed();
    const { steps } = await world.execution(newest?.id ?? '');
    expect(steps.map(({ return_value: value }) => value)).toEqual([{ got: 7 }]);
  }
  const second = await source();
  const { status, body } = await deploy('Neue Dateien');
  expect([status, JSON.stringify(body)]).toEqual([
    400,
    expect.stringMatching(/several are called Neue Dateien: .*by its id/),
  ]);
  expect(JSON.stringify(body)).toContain(second.id);
});

test('a filter has no file of its own', async () => {
  const yaml = `triggers:
- id: hi_a1B2c3
steps:
- namespace: End_if_output
  runtime: nodejs20.x
  uses: "./End_if_output/entry.js"
  props:
    _filter:
      continue: 'false'
      rules:
        t: and
        r:
        - a: "{{steps.trigger.event.path}}"
          op: str/
          b: "/output/"
- namespace: echo
  runtime: nodejs20.x
  uses: "./echo/entry.js"
`;
  const workflow = await world.deployFolder(await folderOf('filtering', yaml, echo));
  const ended = await world.run(workflow, { path: '/box/output/a' });
  expect([ended.status, ended.steps.map(({ path }) => path)]).toEqual([
    'succeeded',
    ['End_if_output'],
  ]);
  const wentOn = await world.run(workflow, { path: '/box/input/a' });
  expect(wentOn.steps.map(({ path }) => path)).toEqual(['End_if_output', 'echo']);
  // It needs no "uses", either.
  const bare = await world.deployFolder(
    await folderOf(
      'bare',
      yaml.replace('hi_a1B2c3', 'hi_d4E5f6').replace(/^ +uses: "\.\/End_if_output.*\n/m, ''),
      echo,
    ),
  );
  expect((await world.run(bare, { path: '/box/output/a' })).steps).toHaveLength(1);
  expect((await world.run(bare, { path: '/box/input/a' })).steps).toHaveLength(2);
  // A step that is no filter needs the file all the same.
  const other = await folderOf(
    'missing',
    `${yaml}- {namespace: a, uses: ./End_if_output/entry.js}\n`,
    echo,
  );
  const { status, body } = await world.runtime.rest('POST', '/v1/workflows', {
    workflow_path: other,
  });
  expect([status, JSON.stringify(body)]).toEqual([
    400,
    expect.stringMatching(/There is no file .*End_if_output/),
  ]);
});

test('a component of the platform is taken from its package, as npm installs it beside the folder', async () => {
  const folder = await folderOf(
    'packaged/flow-p_a1b2c3',
    'steps:\n- namespace: grind\n  uses: stone_mill-grind-corn@0.2.0\n  props: {corn: "{{event.corn}}"}\n',
    {},
  );
  const deploy = () => world.runtime.rest('POST', '/v1/workflows', { workflow_path: folder });
  const refused = await deploy();
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringMatching(
      /There is no component stone_mill-grind-corn here.*weir registry add github:PipedreamHQ\/pipedream/,
    ),
  ]);
  const files = {
    'stone_mill.app.mjs': `export default { type: 'app', app: 'stone_mill', methods: { grind: (corn) => corn + ' flour' } };`,
    'actions/grind-corn/grind-corn.mjs': `import mill from '../../stone_mill.app.mjs';
      export default { key: 'stone_mill-grind-corn', version: '0.2.1', type: 'action', props: { mill, corn: { type: 'string' } },
        run({ $ }) { $.export('$summary', 'Ground ' + this.corn); return this.mill.grind(this.corn); } };`,
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(world.folder, 'packaged/node_modules/@pipedream/stone_mill', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const { status, body } = await deploy();
  expect([status, JSON.stringify(body)]).toEqual([200, expect.any(String)]);
  const execution = await world.run((body as { data: Workflow }).data, { corn: 'rye' });
  expect(stepOf(execution, 'grind')).toMatchObject({
    return_value: 'rye flour',
    summary: 'Ground rye',
  });
});

test('a trigger that does not say how it answers: 200 when no step responds, whatever its packages can', async () => {
  const yaml = (name: string) =>
    `triggers:\n- id: hi_${name}\nsteps:\n- namespace: code\n  uses: ./code/entry.js\n`;
  const packages = {
    'node_modules/grindstone/package.json':
      '{"name":"grindstone","version":"1.0.0","main":"main.js"}',
    'node_modules/grindstone/main.js':
      'exports.serve = (stream) => stream.respond({ ":status": 200 });\nexports.n = 5;\n',
  };
  const silent = await folderOf('silent', yaml('silent1'), {
    ...packages,
    'code/entry.js':
      "import { n } from 'grindstone'; export default defineComponent({ async run({ steps, $ }) { return n } })",
  });
  expect((await fetch(endpointOf(await world.deployFolder(silent)))).status).toBe(200);
  const script = await folderOf('script', yaml('script1').replace('entry.js', 'entry.py'), {
    'code/entry.py': 'def handler(pd: "pipedream"):\n    return 1\n',
  });
  expect((await fetch(endpointOf(await world.deployFolder(script)))).status).toBe(200);
  const responding = await folderOf('responding', yaml('responding1'), {
    'code/entry.js':
      "import { answer } from './answer.mjs'; export default defineComponent({ async run({ steps, $ }) { await answer($) } })",
    'code/answer.mjs':
      'export const answer = ($) => $.respond({ status: 302, headers: { Location: "/there" } });',
  });
  const answer = await fetch(endpointOf(await world.deployFolder(responding)), {
    redirect: 'manual',
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/there']);
});
