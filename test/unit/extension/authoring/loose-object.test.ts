import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { completionsAt } from '../../../../src/extension/authoring/completions.ts';
import { readLooseObject } from '../../../../src/extension/authoring/loose-object.ts';
import { findDefinition } from '../../../../src/extension/component-files/find-component.ts';
import { findProblems } from '../../../../src/extension/problems/find-problems.ts';
import { readObject } from '../../../../src/extension/problems/object-literal.ts';
import { registryScope } from '../../../support/registry-packages.ts';

/** Published components: what nobody is typing is read alike by both readers. */
const published = readdirSync(registryScope, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.mjs') && !file.includes(`node_modules${path.sep}`))
  .map((file) => [file, readFileSync(path.join(registryScope, file), 'utf8')] as const)
  .filter(([, text]) => findDefinition(text) !== undefined);

test('reads whole definitions as the strict reader does', () => {
  expect(published.length).toBeGreaterThan(200);
  for (const [file, text] of published) {
    const start = findDefinition(text)?.offset ?? -1;
    const places = (members: readonly { name: string | undefined; start: number; end: number }[]) =>
      members.flatMap(({ name, start, end }) => (name ? [{ name, start, end }] : []));
    const [strict, loose] = [readObject(text, start), readLooseObject(text, start)];
    const read = { file, end: loose.end, members: places(loose.members) };
    expect(read).toEqual({ file, end: strict?.end, members: places(strict?.members ?? []) });
  }
});

test('no published component has a near miss', () => {
  const found = published.flatMap(([file, text]) =>
    findProblems(text, 'a')
      .filter(({ code }) => code.startsWith('unknown-'))
      .map(({ message }) => `${file}: ${message}`),
  );
  expect(found).toEqual([]);
});

test('comes to an end wherever a text is cut off, or a character is left out', () => {
  const start = performance.now();
  for (const [, text] of published.filter((_, at) => at % 10 === 0)) {
    for (let at = 0; at < text.length; at += 37) {
      const context = { language: 'javascript', isTyped: false } as const;
      completionsAt(text.slice(0, at), at, context);
      completionsAt(text.slice(0, at) + text.slice(at + 1), at, context);
    }
  }
  // Reading a definition of any length takes milliseconds.
  expect(performance.now() - start).toBeLessThan(20_000);
});
