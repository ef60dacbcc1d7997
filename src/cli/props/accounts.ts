/** The accounts of app props that were given none. */
import {
  appOf,
  type ConfigurableProp,
  howToConnect,
  isRequiredApp,
} from '../../protocol/definition.ts';
import { type ErrorDetail, WeirError } from '../../protocol/errors.ts';
import { allPages } from '../../client/pages.ts';
import type { ConnectedTools } from '../cli.ts';
import { createPrompt } from '../prompt.ts';

interface Account {
  readonly id: string;
  readonly name: string;
}

/**
 * The accounts chosen for the required app props without a value: the only one of the app, or which one
 * the user says. With nobody to ask, the runtime says which ones there are.
 * @throws `bad_input` with one detail per prop whose app has no account; a value of null is one on purpose
 */
export async function accountsFor(
  tools: ConnectedTools,
  props: readonly ConfigurableProp[],
  configured: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const chosen: Record<string, unknown> = {};
  const lacking: ErrorDetail[] = [];
  for (const prop of props.filter(isRequiredApp)) {
    if (Object.hasOwn(configured, prop.name)) continue;
    const app = appOf(prop);
    const accounts = await allPages((page) => tools.call('accounts.list', { app, ...page }), most);
    const account = await choose(tools, prop, accounts);
    if (account !== undefined) chosen[prop.name] = { authProvisionId: account.id };
    if (accounts.length === 0) {
      const message = `${prop.name} needs an account of ${app}; ${howToConnect(app)}.`;
      lacking.push({ prop: prop.name, message });
    }
  }
  if (lacking.length === 0) return chosen;
  throw new WeirError('bad_input', lacking.map(({ message }) => message).join(' '), lacking);
}

/** More of one app than anybody chooses from. */
const most = 100;

async function choose(
  { io, interrupted, out }: ConnectedTools,
  prop: ConfigurableProp,
  accounts: readonly Account[],
): Promise<Account | undefined> {
  const [only, ...others] = accounts;
  if (only !== undefined && others.length === 0) {
    out.note(
      `${prop.name}: the account ${only.name} (${only.id}), the only one of ${appOf(prop)}.`,
    );
    return only;
  }
  const prompt = createPrompt(io, interrupted);
  if (only === undefined || !prompt.possible) return undefined;
  const choices = accounts.map((account) => ({
    label: `${account.name} (${account.id})`,
    value: account,
  }));
  return prompt.choose(`${prop.name}, an account of ${appOf(prop)}:`, (typed) => {
    const wanted = typed.toLowerCase();
    const fitting = choices.filter(({ label }) => label.toLowerCase().includes(wanted));
    const none = fitting.length === 0 ? { remark: `No account is called "${typed}".` } : {};
    return Promise.resolve({ choices: fitting, ...none });
  });
}
