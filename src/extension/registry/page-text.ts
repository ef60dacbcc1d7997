/** The page of a component of a registry, as Markdown. What its author wrote stays text, but for the README, which is theirs (pure). */
import type { Result } from '../../protocol/catalogue.ts';

export type ComponentPage = Result<'components.registry'>;

export function pageText(page: ComponentPage): string {
  const { key, version, type, name, description, trust } = page;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Key', key],
    ['Version', version],
    ['Type', type],
    ['App', page.app],
    ['Registry', page.place],
    ['Publisher', page.publisher],
    ['Package', page.package === null ? null : `${page.package} ${page.package_version ?? ''}`],
    ['Commit', page.commit],
    ['Published', dateOf(page.published_at)],
    ['License', page.license ?? 'none: nobody but its author may use it'],
    ['Deprecated', page.deprecated],
    [
      'Asks for',
      trust === null ? 'nothing new: its publisher is allowed here' : 'a yes before it first runs',
    ],
  ];
  const shown = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
  return [
    `# ${plain(name ?? key ?? 'Component')}`,
    '',
    ...(description === null ? [] : [plain(description), '']),
    ...table(
      ['', ''],
      shown.map(([what, value]) => [what, plain(value)]),
    ),
    '',
    '## Props',
    '',
    ...propsText(page),
    '',
    '## Versions',
    '',
    ...table(
      ['Version', 'Package', 'Published'],
      page.versions.map((one) => [
        plain(one.version),
        plain(one.package_version ?? one.commit?.slice(0, 12) ?? ''),
        dateOf(one.published_at) ?? '',
      ]),
    ),
    '',
    '## Code',
    '',
    ...fenced(page.code),
    ...(page.readme === null ? [] : ['', '---', '', '*What its author writes:*', '', page.readme]),
    '',
  ].join('\n');
}

/** Within more backticks than it has itself. */
function fenced(code: string): string[] {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}js`, code.trimEnd(), fence];
}

function propsText({ configurable_props: props }: ComponentPage): string[] {
  if (props.length === 0) return ['It has none that can be read without running it.'];
  const rows = props.map((prop) => {
    const { name, type } = prop;
    const { label, description, optional } = prop as Record<string, unknown>;
    const said = [label, description].filter((one) => typeof one === 'string').join(': ');
    return [
      `\`${name.replaceAll('`', '')}\``,
      plain(type),
      optional === true ? '' : 'yes',
      plain(said),
    ];
  });
  return table(['Prop', 'Type', 'Required', ''], rows);
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)];
}

/** In one line, with nothing in it that Markdown or HTML would read. */
export function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]()#+!|~>]/g, '\\$&')
    .trim();
}

function dateOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString().slice(0, 10);
}
