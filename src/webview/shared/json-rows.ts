/**
 * A JSON value as rows of a tree, made only where it is unfolded: a payload of megabytes costs no more
 * than the part that is shown (pure).
 */

/** Keys and indexes from the root. */
export type JsonPath = readonly (string | number)[];

export interface TreeState {
  readonly value: unknown;
  /** Unfolded values by {@link keyOf}, with how many of their children are shown. */
  readonly open: ReadonlyMap<string, number>;
  /** The row that has the keyboard focus. */
  readonly current: string;
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

export type JsonRow =
  | {
      readonly kind: JsonKind;
      readonly path: JsonPath;
      readonly id: string;
      readonly depth: number;
      /** Key or index in its parent; undefined for the root. */
      readonly name: string | undefined;
      readonly value: unknown;
      /** Null where there is nothing to unfold. */
      readonly open: boolean | null;
    }
  /** Represents the children that are not shown. */
  | {
      readonly kind: 'more';
      readonly path: JsonPath;
      readonly id: string;
      readonly depth: number;
      readonly left: number;
      /** The first child that is not shown. */
      readonly next: JsonPath;
    };

/** Children that are shown at first, and that each "show more" adds. */
export const chunk = 100;
/** Longer strings are cut until they are unfolded. */
export const longString = 160;
/** Rows up to which a value starts unfolded two levels deep. */
const readable = 60;

export function startTree(value: unknown): TreeState {
  const open = new Map([[keyOf([]), chunk]]);
  for (const [name, child] of childrenOf(value, chunk)) {
    if (!isNested(child)) continue;
    if (rowsOf({ value, open, current: '' }).length + countOf(child) > readable) break;
    open.set(keyOf([name]), chunk);
  }
  return { value, open, current: keyOf([]) };
}

export function rowsOf({ value, open }: TreeState): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (child: unknown, path: JsonPath): void => {
    const id = keyOf(path);
    const shown = open.get(id);
    const folds = isNested(child) ? countOf(child) > 0 : isLong(child);
    rows.push({
      kind: kindOf(child),
      path,
      id,
      depth: path.length,
      name: path.length === 0 ? undefined : String(path.at(-1)),
      value: child,
      open: folds ? shown !== undefined : null,
    });
    if (shown === undefined || !isNested(child)) return;
    const children = childrenOf(child, shown + 1);
    for (const [name, grandchild] of children.slice(0, shown)) add(grandchild, [...path, name]);
    const hidden = children[shown];
    if (hidden !== undefined) {
      const [left, next] = [countOf(child) - shown, [...path, hidden[0]]];
      rows.push({ kind: 'more', path, id: `${id}…`, depth: path.length + 1, left, next });
    }
  };
  add(value, []);
  return rows;
}

/** Folds or unfolds a row. A "more" row shows the next children and moves the focus to the first of them. */
export function toggled(state: TreeState, row: JsonRow): TreeState {
  const open = new Map(state.open);
  const id = keyOf(row.path);
  if (row.kind === 'more') open.set(id, (open.get(id) ?? 0) + chunk);
  else if (row.open === true) open.delete(id);
  else if (row.open === false) open.set(id, chunk);
  return { ...state, open, current: row.kind === 'more' ? keyOf(row.next) : row.id };
}

/** A path as it is written in code: `event.items[0]["odd key"]`. */
export function pathText(root: string, path: JsonPath): string {
  const parts = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return root + parts.join('');
}

export function keyOf(path: JsonPath): string {
  return JSON.stringify(path);
}

/** How many children a value has; none of them is read. */
export function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isNested(value) ? Object.keys(value).length : 0;
}

/** The first children by their names; the others are not read. */
function childrenOf(value: unknown, most: number): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) {
    return value.slice(0, most).map((child: unknown, index) => [index, child]);
  }
  if (!isNested(value)) return [];
  const names = Object.keys(value).slice(0, most);
  return names.map((name) => [name, value[name]]);
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > longString;
}

function kindOf(value: unknown): JsonKind {
  if (Array.isArray(value)) return 'array';
  if (value === null || value === undefined) return 'null';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
