/**
 * Every source and action of the registry packages on npm is bundled and evaluated, and
 * what Weir says of it is held against what plain Node finds in the same file.
 */
import { beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../src/client/connection.ts';
import type { Result } from '../../src/protocol/catalogue.ts';
import { type Authored, authoredComponent } from '../compat/support/authored.ts';
import { documented, markdownTable } from '../compat/support/document.ts';
import { type RegistryPackage, registryPackages, shortPath } from '../compat/support/packages.ts';
import { useRuntime } from '../support/runtime.ts';

type Inspected = Result<'components.inspect'>;

interface Loaded {
  readonly path: string;
  /** Undefined when it did not load. */
  readonly inspected?: Inspected;
  /** What Weir had to install, because no package.json declares it. */
  readonly installed: readonly string[];
  /** One sentence each; none for a component that is as it should be. */
  readonly wrong: readonly string[];
}

/** One bundles while the other starts its process. */
const atOnce = 2;
const patienceMs = 300_000;

const runtime = useRuntime();
const found = new Map<RegistryPackage, readonly Loaded[]>();
let connection: Connection;

beforeAll(async () => {
  connection = await runtime.connect();
});

test.each(registryPackages)(
  '@pipedream/$name: each of its $components.length components loads',
  { timeout: patienceMs },
  async (pack) => {
    const loaded = await inParallel(pack.components, load);
    found.set(pack, loaded);
    const wrong = loaded.flatMap((one) => one.wrong.map((what) => `${one.path}: ${what}`));
    expect(wrong).toEqual([]);
  },
);

test('docs/compatibility.md says what was found; WEIR_WRITE_DOCS=1 writes it', () => {
  const packages = [...found].map(([pack, loaded]) => row(pack, loaded));
  const table = markdownTable(columns, packages);
  expect(documented('loaded', table)).toBe(table);
});

async function load(file: string): Promise<Loaded> {
  const path = shortPath(file);
  const installed: string[] = [];
  const progress = (step: string) => void installed.push(...installing(step));
  try {
    const call = { component_path: file };
    const inspected = await connection.call('components.inspect', call, { progress });
    const authored = await authoredComponent(file);
    return { path, inspected, installed, wrong: differences(inspected, authored) };
  } catch (error) {
    return { path, installed, wrong: [(error as Error).message] };
  }
}

function installing(step: string): string[] {
  const [, name] = /^Installing (.+)@[^@]*$/.exec(step) ?? [];
  return name === undefined ? [] : [name];
}

/** What a reader of the definition would miss, or find that nobody wrote. */
function differences(inspected: Inspected, authored: Authored | undefined): string[] {
  const kind = inspected.type;
  const wrong = kind === 'app' ? ['it was read as an app'] : [];
  for (const { name, type, options } of inspected.configurable_props) {
    if (type === '') wrong.push(`the prop ${name} has no type`);
    if (Array.isArray(options) && !options.every(isOption)) {
      wrong.push(`the prop ${name} has an option that nobody can choose`);
    }
  }
  // Node finds no package that Weir installed; the file's text still says how it is called.
  if (authored === undefined) return wrong;
  const { key, name, version, type } = inspected;
  const props = inspected.configurable_props.map((prop) => ({
    name: prop.name,
    options: prop.remoteOptions === true ? 'remote' : prop.options,
    eventNames: prop['eventNames'],
  }));
  try {
    expect({ key, name, version, type, props }).toEqual(authored);
  } catch (error) {
    wrong.push((error as Error).message);
  }
  return wrong;
}

/** Something to show and something to store. */
function isOption(option: unknown): boolean {
  if (typeof option !== 'object') return true;
  return option !== null && 'label' in option && 'value' in option;
}

const columns = ['package', 'sources', 'actions', 'loaded', 'props', 'option lists', 'notes'];

function row(
  { name, version }: RegistryPackage,
  loaded: readonly Loaded[],
): readonly (string | number)[] {
  const of = (type: string) => loaded.filter(({ path }) => path.startsWith(`${name}/${type}/`));
  const props = loaded.flatMap(({ inspected }) => inspected?.configurable_props ?? []);
  return [
    `@pipedream/${name} ${version}`,
    of('sources').length,
    of('actions').length,
    loaded.filter(({ inspected }) => inspected !== undefined).length,
    props.length,
    props.filter(({ options }) => options !== undefined).length,
    [...notes(loaded)].join('; '),
  ];
}

function* notes(loaded: readonly Loaded[]): Generator<string> {
  for (const { path, wrong } of loaded) {
    for (const what of wrong) yield `${path}: ${what.split('\n')[0]}`;
  }
  const installed = new Set(loaded.flatMap((one) => one.installed));
  if (installed.size > 0)
    yield `installs what it does not declare: ${[...installed].sort().join(', ')}`;
}

/** Results in the order of `all`. */
async function inParallel<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const entries = all.entries();
  const worker = async (): Promise<void> => {
    for (const [index, one] of entries) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
