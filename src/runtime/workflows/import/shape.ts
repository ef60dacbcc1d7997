/** Reads values whose keys nobody has written down (pure): by any of several names, and knowing what was not read. */
import { isRecord } from '../../../protocol/record.ts';

/** `configured_props`, `configuredProps` and `configured-props` are one name. */
function plain(name: string): string {
  return name.replaceAll(/[_\-\s]/g, '').toLowerCase();
}

/** Says who, when and where of a record of the platform, and nothing of what it does. */
const bookkeeping: ReadonlySet<string> = new Set(
  [
    'createdAt updatedAt deletedAt deployedAt publishedAt ownerId orgId userId creatorId projectId workspaceId',
    'hid permalink url deploymentId schema revision position index order avatar icon color',
  ]
    .join(' ')
    .split(' ')
    .map(plain),
);

export class Shape {
  readonly path: string;
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #left: Set<string>;
  /** The value here, if it is not a record. */
  readonly #other: unknown;

  /** @param path of the value, for messages: `steps[2].code` */
  constructor(value: unknown, path: string) {
    this.path = path;
    this.#record = recordOf(value) ?? {};
    this.#other = recordOf(value) === undefined ? value : undefined;
    this.#left = new Set(Object.keys(this.#record));
  }

  /** The value of the first of these names that is there; undefined where none is, or it is null. */
  take(...names: readonly string[]): unknown {
    for (const name of names) {
      const wanted = plain(name);
      const key = Object.keys(this.#record).find((one) => plain(one) === wanted);
      const value = key === undefined ? undefined : this.#record[key];
      if (key === undefined || value === null || value === undefined) continue;
      this.#left.delete(key);
      return value;
    }
    return undefined;
  }

  /** The first of these that is of a kind; one that is not is somebody else's to read, or is told. */
  takeIf<T>(isOfKind: (value: unknown) => value is T, ...names: readonly string[]): T | undefined {
    for (const name of names) {
      const before = new Set(this.#left);
      const value = this.take(name);
      if (isOfKind(value)) return value;
      for (const key of before) this.#left.add(key);
    }
    return undefined;
  }

  text(...names: readonly string[]): string | undefined {
    return this.takeIf(
      (value): value is string => typeof value === 'string' && value !== '',
      ...names,
    );
  }

  flag(...names: readonly string[]): boolean | undefined {
    return this.takeIf((value): value is boolean => typeof value === 'boolean', ...names);
  }

  number(...names: readonly string[]): number | undefined {
    return this.takeIf((value): value is number => Number.isFinite(value), ...names);
  }

  list(...names: readonly string[]): readonly unknown[] | undefined {
    return this.takeIf(Array.isArray, ...names);
  }

  /** An object, or one as JSON in a text. */
  record(...names: readonly string[]): Readonly<Record<string, unknown>> | undefined {
    const isObject = (one: unknown): one is unknown => recordOf(one) !== undefined;
    return recordOf(this.takeIf(isObject, ...names));
  }

  /** The shape of the first of these that is there, with the path that it has; an empty one where none is. */
  inside(...names: readonly string[]): Shape {
    const before = new Set(this.#left);
    const value = this.take(...names);
    const [key = names[0] ?? ''] = [...before].filter((one) => !this.#left.has(one));
    return new Shape(value, this.path === '' ? key : `${this.path}.${key}`);
  }

  /** Marks members as not needed here: an id, a title. Lists and objects of such a name mean something else. */
  ignore(...names: readonly string[]): void {
    const isPlain = (value: unknown): value is unknown => typeof value !== 'object';
    for (const name of names) this.takeIf(isPlain, name);
  }

  /** Whether it says nothing by any name. */
  get isEmpty(): boolean {
    return this.#other === undefined && Object.keys(this.#record).length === 0;
  }

  /** The paths of what was not read and says something. */
  get left(): string[] {
    if (this.#other !== undefined) return saysSomething(this.#other) ? [this.path] : [];
    return [...this.#left]
      .filter((key) => !bookkeeping.has(plain(key)) && saysSomething(this.#record[key]))
      .map((key) => (this.path === '' ? key : `${this.path}.${key}`));
  }
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isRecord(value) || Object.keys(value).length > 0;
}

/** An object that is there as it is, or as JSON in a text. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isRecord(value)) return value;
  if (typeof value !== 'string' || !value.trim().startsWith('{')) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
