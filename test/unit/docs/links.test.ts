/** Links between the pages: each leads to a file that is there, and to a heading of it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: root });

const withoutCode = (page: string): string => page.replace(/^ *```[^]*?^ *```/gm, '');

/** As GitHub and VS Code name a heading in an address. */
const anchor = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

function anchorsOf(path: string): Set<string> {
  const page = withoutCode(readFileSync(path, 'utf8'));
  const counts = new Map<string, number>();
  const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const name = anchor(heading);
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  });
  const named = [...page.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name);
  return new Set([...anchors, ...named]);
}

function deadLinks(page: string): string[] {
  const path = join(root, page);
  const text = withoutCode(readFileSync(path, 'utf8'));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = '', name] = link.split('#');
    const target = file === '' ? path : join(dirname(path), decodeURI(file));
    if (!existsSync(target)) return [`${link}: there is no ${relative(root, target)}`];
    if (name === undefined || !target.endsWith('.md')) return [];
    return anchorsOf(target).has(name) ? [] : [`${link}: there is no such heading`];
  });
}

test('there are pages', () => expect(pages.length).toBeGreaterThan(20));

test.each(pages)('every link of %s leads somewhere', (page) => {
  expect(deadLinks(page)).toEqual([]);
});
