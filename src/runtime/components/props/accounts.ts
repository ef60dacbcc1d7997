/** App props without an account: which one they use by default, and the message otherwise (pure). */
import {
  appOf,
  type ComponentDefinition,
  type ConfigurableProp,
  howToConnect,
  isRequired,
  isRequiredApp,
  needsNoAccount,
} from '../../../protocol/definition.ts';
import { type ErrorDetail, WeirError } from '../../../protocol/errors.ts';
import { own } from '../../../protocol/own.ts';
import type { Configured } from './configured.ts';

/** The connected accounts of an app, by its slug. */
export type AccountsOfApp = (
  app: string,
) => readonly { readonly id: string; readonly name: string }[];

/**
 * Gives each required app prop without a value the only account of its app; one that has no account stays
 * empty, as does one whose value is null (P2.14, P23.4), and one that needs none where there are several (P2.20).
 * @throws WeirError `bad_input` with one detail per app prop that could have several
 */
export function withOnlyAccounts(
  definition: ComponentDefinition,
  configured: Configured,
  accountsOf: AccountsOfApp,
): Configured {
  const complete = new Map(Object.entries(configured));
  const undecided: ErrorDetail[] = [];
  for (const prop of definition.props) {
    if (prop.type !== 'app' || !isRequired(prop)) continue;
    if (own(configured, prop.name) !== undefined) continue;
    const [only, ...others] = accountsOf(appOf(prop));
    if (only === undefined) continue;
    if (others.length === 0) complete.set(prop.name, { authProvisionId: only.id });
    else if (!needsNoAccount(prop))
      undecided.push({ prop: prop.name, message: choice(prop, [only, ...others]) });
  }
  if (undecided.length === 0) return Object.fromEntries(complete);
  throw new WeirError('bad_input', undecided.map(({ message }) => message).join(' '), undecided);
}

/** One sentence per required app prop without an account: which prop, which app, how to connect one. */
export function missingAccounts(definition: ComponentDefinition, configured: Configured): string {
  return definition.props
    .filter(isRequiredApp)
    .filter(({ name }) => (own(configured, name) ?? undefined) === undefined)
    .map((prop) => `${prop.name} has no account of ${appOf(prop)}; ${howToConnect(appOf(prop))}.`)
    .join(' ');
}

/** Named by their ids, which is how one is given. */
const mostNamed = 10;

function choice(prop: ConfigurableProp, accounts: ReturnType<AccountsOfApp>): string {
  const named = accounts.slice(0, mostNamed).map(({ id, name }) => `${id} (${name})`);
  const more = accounts.length > mostNamed ? `, … ${accounts.length} in all` : '';
  return `${prop.name} needs one of the accounts of ${appOf(prop)}: ${named.join(', ')}${more}.`;
}
