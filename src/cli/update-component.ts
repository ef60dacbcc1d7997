/** `weir update … --to VERSION`: what would change is shown first, and who declines has changed nothing. */
import { WeirError } from '../protocol/errors.ts';
import type { ConnectedTools } from './cli.ts';
import { createPrompt } from './prompt.ts';
import { asking, type TrustFlags } from './trust.ts';
import { fields } from './views/fields.ts';
import { comparisonText } from './views/outdated.ts';

/** @param to version, range or reference; undefined for the newest */
export async function updateComponent(
  tools: ConnectedTools,
  component: string,
  to: string | undefined,
  flags: TrustFlags,
): Promise<void> {
  const { out } = tools;
  const comparison = await tools.call('components.compare', {
    component,
    ...(to !== undefined && { to }),
  });
  out.note(comparisonText(comparison));
  const prompt = createPrompt(tools.io, tools.interrupted);
  const { trust, is_same: isSame } = comparison;
  // The question of trust is one about this update as well.
  if (trust === null && !isSame && flags.yes !== true && prompt.possible) {
    const answer = await prompt.ask('Update? (y/N) ');
    if (!/^y(?:es)?$/i.test(answer.trim())) {
      throw new WeirError('cancelled', 'Nothing was changed.');
    }
  }
  const { version, reference, package: of, commit } = comparison.to;
  // Exactly what was shown, whatever is published meanwhile.
  const exact = of === null && commit === null ? version : reference;
  const updated = await asking(tools, flags).call('components.update', {
    component,
    to: exact ?? reference,
  });
  for (const { name, type } of updated.remaining) {
    out.note(
      type === 'workflow'
        ? `The workflow ${name} is still deployed with ${updated.from}: change its "uses" to ${updated.key}@${updated.to}, and deploy it.`
        : `The source ${name} still runs ${updated.from}.`,
    );
  }
  out.answer(updated, () =>
    fields({
      key: updated.key,
      version: isSame ? `${updated.to} (as before)` : `${updated.from} → ${updated.to}`,
      updated:
        updated.updated.length === 0 ? null : updated.updated.map(({ name }) => name).join(', '),
    }),
  );
}
