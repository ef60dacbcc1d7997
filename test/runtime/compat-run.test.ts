/**
 * Components of the registry packages on npm, unchanged, deployed and run against
 * stand-ins for their third parties. What each shows stands in docs/compatibility.md.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { dataStores } from '../compat/suites/data-stores.ts';
import { docuSign } from '../compat/suites/docusign.ts';
import { gitlab } from '../compat/suites/gitlab.ts';
import { googleDrive } from '../compat/suites/google-drive.ts';
import { helperFunctions } from '../compat/suites/helper-functions.ts';
import { launchDarkly } from '../compat/suites/launchdarkly.ts';
import { linear } from '../compat/suites/linear.ts';
import { monday } from '../compat/suites/monday.ts';
import { notiff } from '../compat/suites/notiff.ts';
import { notion } from '../compat/suites/notion.ts';
import { ramp } from '../compat/suites/ramp.ts';
import { slack } from '../compat/suites/slack.ts';
import { documented, markdownTable } from '../compat/support/document.ts';
import { createWorld, type World } from '../compat/support/world.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';

const suites = [
  dataStores,
  docuSign,
  gitlab,
  googleDrive,
  helperFunctions,
  launchDarkly,
  linear,
  monday,
  notiff,
  notion,
  ramp,
  slack,
];

const atEnd = atEndOfSuite();
const passed = new Map<string, string[]>();
let world: World;

beforeAll(async () => {
  const redirects: string[] = [];
  for (const { hosts, start } of suites) {
    const { url } = await start(atEnd);
    redirects.push(...hosts.flatMap((host) => ['--redirect', `${host}=${url}`]));
  }
  const folder = temporaryFolder(atEnd);
  world = createWorld(await startRuntime({ folder, args: redirects, atEnd }));
});

afterEach(async () => {
  for (const source of await world.runtime.restData<Source[]>('GET', '/v1/sources')) {
    await world.remove(source);
  }
});

describe.each(suites)('$app', ({ scenarios }) => {
  test.each(scenarios)('$component: $shows', async ({ component, shows, play }) => {
    expect.hasAssertions();
    await play(world);
    passed.set(component, [...(passed.get(component) ?? []), shows]);
  });
});

test('docs/compatibility.md says what ran, at least 20 components; WEIR_WRITE_DOCS=1 writes it', () => {
  const rows = [...passed].map(([component, shows]) => [component, shows.join('; ')]);
  expect(rows.length).toBeGreaterThanOrEqual(20);
  const table = markdownTable(['component', 'shows'], rows);
  expect(documented('run', table)).toBe(table);
});
