/** The definitions that ship connect the apps of at least half of the platform's components that connect by OAuth. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { builtIn } from '../../../../../src/runtime/accounts/apps/built-in/all.ts';
import { countedApps, countedFamilies, countedTotal } from './counted-components.ts';

const byOAuth = builtIn.filter(({ methods }) =>
  methods.some(({ type }) => type === 'oauth2' || type === 'oauth1'),
);
const connecting = byOAuth.map(({ app }) => app);

const isOfFamily = (app: string) => countedFamilies.some(({ slug }) => slug.test(app));

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const families = sum(countedFamilies.map(({ components }) => components));
const singles = sum(connecting.map((app) => countedApps.get(app) ?? 0));

test.each(countedFamilies)('each app of $name that was counted connects', ({ slug, apps }) => {
  expect(connecting.filter((app) => slug.test(app)).length).toBeGreaterThanOrEqual(apps);
});

test('each single app that was counted connects, and is of no family', () => {
  const counted = [...countedApps.keys()];
  expect(counted.filter((app) => !connecting.includes(app))).toEqual([]);
  expect(counted.filter(isOfFamily)).toEqual([]);
});

test('what was counted is at least half of the components that connect by OAuth', () => {
  expect(families + singles).toBeGreaterThanOrEqual(countedTotal / 2);
});

test('docs/accounts.md says what was counted and compared', async () => {
  const page = await readFile(new URL('../../../../../docs/accounts.md', import.meta.url), 'utf8');
  const compared = byOAuth.filter(({ unverified }) => unverified !== true).length;
  const inWords = (count: number) => count.toLocaleString('en');
  expect(page).toContain(
    `${inWords(families + singles)} of the ${inWords(countedTotal)} components`,
  );
  expect(page).toContain(`${compared} of the ${byOAuth.length} definitions that connect by OAuth`);
});
