/** Reads values whose keys nobody has written down (pure): by any of several names, and knowing what was not read. */
import { isRecord } from '../../../workflow-file/yaml-values.ts';

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

  /** @param path of the value, as it is told: `steps[2].code` */
  constructor(value: unknown, path: string) {
    this.path = path;
    this.#record = isRecord(value) ? value : {};
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

  text(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const before = new Set(this.#left);
      const value = this.take(name);
      if (typeof value === 'string' && value !== '') return value;
      // It is somebody else's to read, or is told.
      for (const key of before) this.#left.add(key);
    }
    return undefined;
  }

  /** What these say is of no use here. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.take(name);
  }

  /** The paths of what was not read and says something. */
  get left(): string[] {
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
