import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readComponent } from '../../src/component/host/module/component.ts';
import { type ComponentDefinition, isAsked } from '../../src/protocol/definition.ts';
import { registryPackages, shortPath } from '../compat/support/packages.ts';
import { load, model, subject, useBrowser, type ShownForm } from './support/form.ts';
import { allThemes } from './support/page.ts';

/** The form of every source and action of the registry packages on npm, as their authors wrote them. */
useBrowser();

/** axe-core looks at one form in so many, each time in another theme. */
const sample = 8;
const patienceMs = 240_000;

test.each(registryPackages)(
  '@pipedream/$name: $components.length forms',
  { timeout: patienceMs },
  async ({ components }) => {
    const form = await load();
    const wrong: string[] = [];
    for (const [at, file] of components.entries()) {
      const definition = await definitionOf(file);
      if (definition === undefined) continue;
      await show(form, definition);
      const found = await form.page.evaluate(lookAt);
      const { controls, problems } = found;
      const asked = definition.props.filter(isAsked).map(({ name }) => name);
      const missing = asked.filter((name) => !controls.includes(name));
      if (missing.length > 0) problems.push(`no control for ${missing.join(', ')}`);
      if (at % sample === 0) {
        await form.changeTheme(allThemes[(at / sample) % allThemes.length] ?? 'light');
        problems.push(...(await form.violations()));
      }
      wrong.push(...problems.map((problem) => `${shortPath(file)}: ${problem}`));
    }
    expect(wrong).toEqual([]);
  },
);

/** Undefined where Node finds no package that nobody declared. */
async function definitionOf(file: string): Promise<ComponentDefinition | undefined> {
  try {
    const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      default: unknown;
    };
    return readComponent(module.default).definition;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** With its optional fields unfolded. */
async function show({ say, page }: ShownForm, definition: ComponentDefinition): Promise<void> {
  const { name, description, props } = definition;
  const form = { ...model([]), heading: `Deploy ${name}`, description, props };
  await say({ t: 'form', subject, form });
  await page.locator('h1').getByText(form.heading, { exact: true }).waitFor();
  await page.evaluate(() => {
    const fold = document.querySelector('details');
    if (fold !== null) fold.open = true;
  });
}

/** Runs in the page. */
function lookAt(): { controls: string[]; problems: string[] } {
  const problems: string[] = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) problems.push('the page can be scrolled sideways');
  for (const text of ['[object Object]', 'undefined account']) {
    if (document.body.innerText.includes(text)) problems.push(`it says ${text}`);
  }
  const fields = [...document.querySelectorAll<HTMLElement>('[data-prop]')];
  for (const field of fields) {
    const label = field.querySelector<HTMLElement>('.label')?.innerText.trim() ?? '';
    if (label === '' || label === 'undefined') problems.push(`${field.dataset['prop']}: no label`);
    for (const control of field.querySelectorAll<HTMLInputElement>('input, select, textarea')) {
      const isNamed = (control.labels?.length ?? 0) > 0 || control.ariaLabel !== null;
      if (!isNamed) problems.push(`${field.dataset['prop']}: a control without a name`);
    }
  }
  const controls = fields
    .filter((field) => field.querySelector('input, select, textarea, button') !== null)
    .map((field) => field.dataset['prop'] ?? '');
  return { controls, problems };
}
