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
import { type Choice, createPrompt } from '../prompt.ts';

interface Account {
  readonly id: string;
  readonly name: string;
}

/**
 * The accounts chosen for the app props without a value that need one: the only one of the app, or the one that
 * the user chooses, which may be none. With nobody to ask, the runtime says which ones there are.
 * @returns null for a prop that goes without
 * @throws `bad_input` with one detail per prop whose app has no account, when there is nobody to ask
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
    const value = onlyOne(tools, prop, accounts) ?? (await choose(tools, prop, accounts));
    if (value !== undefined) chosen[prop.name] = value;
    else if (accounts.length === 0) {
      const message = `${prop.name} needs an account of ${app}; ${howToConnect(app)}. With --prop ${prop.name}=null it runs without one.`;
      lacking.push({ prop: prop.name, message });
    }
  }
  if (lacking.length === 0) return chosen;
  throw new WeirError('bad_input', lacking.map(({ message }) => message).join(' '), lacking);
}

/** More of one app than anybody chooses from. */
const most = 100;

type AccountValue = { readonly authProvisionId: string } | null;

function onlyOne(
  { out }: ConnectedTools,
  prop: ConfigurableProp,
  [only, ...others]: readonly Account[],
): AccountValue | undefined {
  if (only === undefined || others.length > 0) return undefined;
  out.note(`${prop.name}: the account ${only.name} (${only.id}), the only one of ${appOf(prop)}.`);
  return { authProvisionId: only.id };
}

/** @returns undefined when there is nobody to ask */
async function choose(
  { io, interrupted }: ConnectedTools,
  prop: ConfigurableProp,
  accounts: readonly Account[],
): Promise<AccountValue | undefined> {
  const prompt = createPrompt(io, interrupted);
  if (!prompt.possible) return undefined;
  const app = appOf(prop);
  const choices: Choice<AccountValue>[] = [
    ...accounts.map(({ id, name }) => ({
      label: `${name} (${id})`,
      value: { authProvisionId: id },
    })),
    { label: 'No account', value: null },
  ];
  return prompt.choose(`${prop.name}, an account of ${app}:`, (typed) => {
    const wanted = typed.toLowerCase();
    const fitting = choices.filter(({ label }) => label.toLowerCase().includes(wanted));
    const remark =
      fitting.length === 0
        ? `No account is called "${typed}".`
        : accounts.length === 0
          ? `There is none; ${howToConnect(app)}.`
          : undefined;
    return Promise.resolve({ choices: fitting, ...(remark !== undefined && { remark }) });
  });
}
