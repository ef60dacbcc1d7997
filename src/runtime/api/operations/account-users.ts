/** The users of an account: sources with that account, and steps of deployed workflows. */
import type { Result } from '../../../protocol/catalogue.ts';
import { accountIds } from '../../components/props/configured.ts';
import type { UsesStore } from '../../store/store.ts';
import { accountsOfSteps } from '../../workflows/lifecycle/step-accounts.ts';

type AccountUser = NonNullable<Result<'accounts.get'>['used_by']>[number];

export interface AccountUsersParts extends UsesStore<'sources' | 'workflows' | 'components'> {
  readonly prepare: Parameters<typeof accountsOfSteps>[0];
}

/** Includes users that are switched off, because they need the account again when they are switched on. */
export function accountUsers(
  { store, prepare }: AccountUsersParts,
  account: string,
): AccountUser[] {
  const sources = store.sources
    .all()
    .filter(({ configuredProps }) => accountIds(configuredProps).includes(account));
  const workflows = store.workflows.all().filter(({ deploymentId }) => {
    const deployment = store.workflows.deployment(deploymentId);
    return (
      deployment !== undefined && accountsOfSteps(prepare, store, deployment).includes(account)
    );
  });
  return [
    ...sources.map(({ id, name, componentId }) => {
      const path = store.components.get(componentId)?.path ?? null;
      return { type: 'source' as const, id, name, path };
    }),
    ...workflows.map(({ id, name, path }) => ({ type: 'workflow' as const, id, name, path })),
  ];
}
