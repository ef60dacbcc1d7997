/** The imports among the project's own files, types and lazy ones included. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  /** Paths from the root of the project. */
  readonly from: string;
  readonly to: string;
  /** Nothing of it is left when the types are taken away. */
  readonly isType: boolean;
  /** `import('./a.ts')`, loaded when it is called. */
  readonly isLazy: boolean;
}

const statement =
  /^(?:import|export)\s+(?<type>type\s)?(?<names>[^;'"]*?)\s*(?:from\s*)?['"](?<path>\.[^'"]+)['"]/gm;

/** `import('./a.ts')`; with `typeof` before it, or a name behind it, it is a type. */
const lazy = /(?<type>typeof\s+)?\bimport\(\s*['"](?<path>\.[^'"]+)['"]\s*\)(?<name>\.[A-Z])?/g;

/** @param root of the project */
export function importsIn(root: string): Import[] {
  return globSync('src/**/*.ts', { cwd: root })
    .map((file) => normalize(file))
    .flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')))
    .filter(({ to }) => to.startsWith('src') && existsSync(join(root, to)));
}

/** @param file its path from the root of the project */
export function importsOf(file: string, text: string): Import[] {
  const found = (pattern: RegExp, isLazy: boolean): Import[] =>
    [...text.matchAll(pattern)].map(({ groups }) => ({
      from: file,
      to: normalize(join(dirname(file), groups?.['path'] ?? '')),
      isType:
        groups?.['type'] !== undefined ||
        groups?.['name'] !== undefined ||
        onlyTypes(groups?.['names'] ?? ''),
      isLazy,
    }));
  return [...found(statement, false), ...found(lazy, true)];
}

/** `{ type A, type B }`: each name says so itself. */
function onlyTypes(names: string): boolean {
  const braces = /^\{(?<list>[^}]*)\}$/s.exec(names.trim());
  if (braces === null) return false;
  const list = (braces.groups?.['list'] ?? '').split(',').map((name) => name.trim());
  return list.every((name) => name === '' || name.startsWith('type '));
}

/** Files that import each other in a circle, types included; each circle once, from its first file on. */
export function circlesIn(imports: readonly Import[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) next.set(from, (next.get(from) ?? new Set()).add(to));
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) {
      circles.push(path.slice(start));
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of [...next.keys()].toSorted()) visit(file, []);
  return circles;
}
