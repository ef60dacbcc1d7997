import type { RuntimeClient } from '../model/runtime-client.ts';
import { askText, type StepFrame } from './quick-input.ts';

/**
 * Asks for the keys of an account, without showing them, and stores it.
 * @returns its id, or undefined when the person left
 */
export async function addAccount(client: RuntimeClient, app: string): Promise<string | undefined> {
  const frame = { title: `Add Account for ${app}`, step: 1, totalSteps: 1 };
  const name = await askText({
    ...frame,
    prompt: 'What you call this account',
    value: app,
    problem: (text) => (text.trim() === '' ? 'A name is required.' : undefined),
  });
  if (name === undefined || name === 'back') return undefined;
  const credentials = await askCredentials(frame);
  if (credentials === undefined) return undefined;
  const account = await client.call('accounts.create', { app, name: name.value, credentials });
  return account.id;
}

/** Field after field until an empty name: which ones `$auth` has, the component's code says. */
async function askCredentials(frame: StepFrame): Promise<Record<string, string> | undefined> {
  const credentials: Record<string, string> = {};
  for (;;) {
    const known = Object.keys(credentials);
    const field = await askText({
      ...frame,
      prompt:
        known.length === 0
          ? 'Name of the first field of $auth, such as api_key or oauth_access_token'
          : `Name of the next field, or Enter to store ${known.join(', ')}`,
      placeholder: known.length === 0 ? 'api_key' : '',
      problem: (text) =>
        text.trim() === '' && known.length === 0 ? 'One field at least is required.' : undefined,
    });
    if (field === undefined || field === 'back') return undefined;
    const name = field.value.trim();
    if (name === '') return credentials;
    const value = await askText({
      ...frame,
      prompt: `Value of ${name}`,
      password: true,
      problem: (text) => (text === '' ? 'A value is required.' : undefined),
    });
    if (value === undefined || value === 'back') return undefined;
    credentials[name] = value.value;
  }
}
