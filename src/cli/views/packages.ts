/** Packages of components, as a person reads them. */
import type { PackedPackage, PublishedPackage } from '../publishing/to-registry.ts';
import { type Column, table } from '../render/table.ts';
import { fields } from './fields.ts';

/** The content of a package that would be published, file by file. */
export function packedText({ name, version, weir, files }: PackedPackage): string {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return [
    `${name} ${version}`,
    '',
    componentsText(weir.components),
    '',
    ...files.map(({ path, size }) => `${bytes(size).padStart(9)}  ${path}`),
    `${bytes(total).padStart(9)}  in ${files.length} files`,
    '',
    'Nothing was published.',
  ].join('\n');
}

export function publishedText(published: PublishedPackage, { weir }: PackedPackage): string {
  const { package: name, version, registry, status, integrity, provenance } = published;
  const what =
    status === 'published' ? `Published ${name} ${version}` : `${name} ${version} is unchanged`;
  return [
    `${what}.`,
    fields({ registry, integrity, provenance: provenance ? 'signed' : undefined }),
    '',
    componentsText(weir.components),
    '',
    ...referencesOf(`npm:${name}@${version}`, Object.keys(weir.components)),
  ].join('\n');
}

/** One line for each component. */
function referencesOf(place: string, keys: readonly string[]): string[] {
  const references = keys.map((key) => `${place}#${key}`);
  if (references.length < 2) return [`Its reference is ${references[0] ?? place}`];
  return ['Their references are:', ...references.map((one) => `  ${one}`)];
}

export function removedText(spec: string, registry: string, reason: string | undefined): string {
  return reason === undefined
    ? `Removed ${spec} from ${registry}. What was deployed from it stays.`
    : `Marked ${spec} as deprecated at ${registry}: ${reason}`;
}

interface Row {
  readonly key: string;
  readonly type: string;
  readonly version: string;
  readonly file: string;
}

const rowColumns: readonly Column<Row>[] = [
  { title: 'KEY', of: ({ key }) => key },
  { title: 'TYPE', of: ({ type }) => type },
  { title: 'VERSION', of: ({ version }) => version },
  { title: 'FILE', of: ({ file }) => file },
];

function componentsText(components: PackedPackage['weir']['components']): string {
  const rows = Object.entries(components).map(([key, one]) => ({ key, ...one }));
  return table(rowColumns, rows, undefined);
}

function bytes(count: number): string {
  return count < 1024 ? `${count} B` : `${(count / 1024).toFixed(1)} KB`;
}
