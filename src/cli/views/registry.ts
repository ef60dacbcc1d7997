/** Components of registries, as a person reads them. */
import type { OfferedComponent, Result, TrustQuestion } from '../../protocol/catalogue.ts';
import { definedApp } from '../../protocol/defined-app.ts';
import { reachOfTrust } from '../../protocol/trust-reach.ts';
import { oneLine } from '../render/printable.ts';
import { type Column, table } from '../render/table.ts';
import { fields, when } from './fields.ts';

const columns: readonly Column<OfferedComponent>[] = [
  { title: 'key', of: ({ key, reference }) => key ?? reference },
  { title: 'version', of: ({ version, package_version: of }) => version ?? of },
  { title: 'type', of: ({ type }) => type ?? 'package' },
  { title: 'registry', of: ({ registry }) => registry },
  { title: 'license', of: ({ license }) => license, shrinks: true },
  {
    title: 'name',
    of: ({ name, description, deprecated }) =>
      `${deprecated === null ? '' : 'DEPRECATED '}${name ?? description ?? ''}`,
    shrinks: true,
  },
];

export function offeredTable(
  components: readonly OfferedComponent[],
  width: number | undefined,
): string {
  return components.length === 0 ? 'Nothing found.' : table(columns, components, width);
}

export function infoText(info: Result<'components.registry'>): string {
  const { key, name, type, version, reference, publisher, place, license, published_at: at } = info;
  const props = info.configurable_props.map(({ name: prop, type: of }) => `${prop} (${of})`);
  const lines = [
    fields({
      key,
      name,
      type,
      version,
      reference,
      place,
      publisher: publisher === place ? null : publisher,
      published: at === null ? null : when(at),
      license: license ?? 'none named',
      deprecated: info.deprecated,
      props: props.length === 0 ? null : props.join(', '),
      versions: info.versions
        .slice(0, 12)
        .map((one) => one.version)
        .join(', '),
      others: info.others.length === 0 ? null : info.others.slice(0, 20).join(', '),
      allowed: info.trust === null ? 'yes' : `not yet: ${info.trust.reasons.join(' ')}`,
    }),
  ];
  if (info.description !== null) lines.push('', oneLine(info.description));
  return lines.join('\n');
}

/** All that the question is about. */
export function trustText(question: TrustQuestion): string {
  const { source, registry, publisher, published_at: at, license, dependencies } = question;
  const listed = (values: readonly string[], none: string): string =>
    values.length === 0 ? none : values.join(', ');
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  const from = { npm: 'npm registry', git: 'repository', folder: 'folder' }[source];
  return [
    `${question.key} ${question.component_version} (${question.type}) is a component of others:`,
    fields({
      package: question.package === null ? null : `${question.package} ${question.version}`,
      commit: source === 'git' ? question.version : null,
      [from]: registry,
      publisher: publisher === registry ? null : publisher,
      published: at === null ? null : when(at),
      license: [license ?? 'none named', question.license_note].filter(Boolean).join('. '),
      provenance: source === 'npm' ? (question.provenance ? 'signed build' : 'none') : null,
      deprecated: question.deprecated,
      dependencies: listed(versions, 'none'),
      'never run':
        question.install_scripts.length === 0 ? null : question.install_scripts.join(', '),
      'accounts of': listed(question.apps, 'no app'),
      'hosts named': listed(question.hosts, 'none'),
      'defines apps':
        question.defines.length === 0 ? null : question.defines.map(definedApp).join('; '),
      size: `${question.files} ${question.files === 1 ? 'file' : 'files'}, ${Math.ceil(question.bytes / 1024)} KB`,
    }),
    'It runs with your rights: your files and the network.',
    ...question.reasons,
    reachOfTrust(question),
  ].join('\n');
}
