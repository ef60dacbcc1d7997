/** The facts for a person's decision, as lines of a dialog (pure; P27.6). */
import type { TrustQuestion } from '../../protocol/catalogue.ts';
import { definedApp } from '../../protocol/defined-app.ts';
import { reachOfTrust } from '../../protocol/trust-reach.ts';

export function trustDetail(question: TrustQuestion): string {
  const { license, license_note: note, published_at: published } = question;
  const { apps, hosts, install_scripts: scripts, deprecated, reasons } = question;
  const dependencies = Object.entries(question.dependencies).map(
    ([name, range]) => `${name} ${range}`,
  );
  const lines: readonly (readonly [what: string, value: string])[] = [
    ['From', `${question.reference}, ${question.registry}`],
    [
      'Published',
      published === null ? 'nobody says when' : new Date(published).toISOString().slice(0, 10),
    ],
    ['License', [license ?? 'none', note].filter((one) => one !== null).join('. ')],
    ['npm packages', listed(dependencies, 'none')],
    ['Accounts of', listed(apps, 'no app')],
    ['Hosts in its text', listed(hosts, 'none')],
    ...question.defines.map((one) => ['Defines the app', definedApp(one)] as const),
    ['Build', question.provenance ? 'signed by where it was built' : 'nobody signed it'],
    ...(scripts.length === 0 ? [] : [['Never run', scripts.join(', ')] as const]),
    ...(deprecated === null ? [] : [['Deprecated', deprecated] as const]),
  ];
  return [
    ...lines.map(([what, value]) => `${what}: ${value}`),
    '',
    ...reasons,
    'It can do on this machine what you can do: read files, and use the network.',
    reachOfTrust(question),
  ].join('\n');
}

/** A dialog has no room for hundreds. */
const mostListed = 12;

function listed(all: readonly string[], none: string): string {
  if (all.length === 0) return none;
  const more = all.length - mostListed;
  const shown = all.slice(0, mostListed).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
