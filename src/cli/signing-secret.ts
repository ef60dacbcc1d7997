/** The secret that an app signs its events with, asked for where it is needed. */
import type { AccountWebhook, Source } from '../protocol/catalogue.ts';
import type { ConnectedTools } from './cli.ts';
import { createPrompt } from './prompt.ts';
import { readSecret } from './read-secret.ts';

/**
 * Asks for the signing secret of an account; without a terminal it is read from stdin.
 * @returns null when nothing was entered
 */
export async function askSigningSecret(
  { io, interrupted }: ConnectedTools,
  { secret_name: name }: Pick<AccountWebhook, 'secret_name'>,
): Promise<string | null> {
  const prompt = createPrompt(io, interrupted);
  const given = prompt.possible
    ? await prompt.ask(`${name} (not shown): `, true)
    : await readSecret(io.stdin);
  return given.trim() === '' ? null : given.trim();
}

/** Enters the signing secret for a source that was just deployed, or says how to. */
export async function enterSigningSecret(
  tools: ConnectedTools,
  { webhook }: Pick<Source, 'webhook'>,
): Promise<void> {
  if (webhook === undefined || webhook.has_secret) return;
  const { account, app, secret_name: name } = webhook;
  if (account === null) {
    tools.out.note(
      `Nothing of ${app} comes here while the source has no account: give it one with "weir update --account".`,
    );
    return;
  }
  const { io, interrupted, out, call } = tools;
  if (createPrompt(io, interrupted).possible) {
    out.note(
      `Events are taken once Weir has the ${name} of ${app}; leave it empty to enter it later.`,
    );
    const secret = await askSigningSecret(tools, webhook);
    if (secret !== null) {
      await call('accounts.update', { id: account, signing_secret: secret });
      return;
    }
  }
  out.note(
    `Events are refused until the ${name} is entered: weir accounts update ${account} --signing-secret`,
  );
}
