/** What a component of others defines for an app, in the words of a question (pure; P27.14). */
import type { TrustQuestion } from './catalogue.ts';

type Defined = TrustQuestion['defines'][number];

const instead: Readonly<Record<NonNullable<Defined['defined_by']>, string>> = {
  user: 'your own definition',
  'built in': 'what is built in',
  workspace: 'the definition of this workspace',
  companion: 'the one beside your own file of the app',
};

export function definedApp({ app, hosts, defined_by: by }: Defined): string {
  if (by !== null) return `${app} (without effect: ${instead[by]} counts)`;
  return hosts.length === 0
    ? `${app} (keys alone)`
    : `${app} (sign-in and tokens go to ${hosts.join(', ')})`;
}
