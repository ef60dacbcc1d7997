/** The sources and workflows that are deployed with the code of a file. */
import type { Store } from '../../store/store.ts';

export interface ComponentUser {
  readonly id: string;
  readonly name: string;
  readonly type: 'source' | 'workflow';
}

/** @param path absolute */
export function usersOf(
  { components, sources, workflows }: Pick<Store, 'components' | 'sources' | 'workflows'>,
  path: string,
): ComponentUser[] {
  const isIt = (id: string): boolean => components.get(id)?.path === path;
  return [
    ...sources
      .all()
      .filter(({ componentId }) => isIt(componentId))
      .map(({ id, name }) => ({ id, name, type: 'source' as const })),
    ...workflows
      .all()
      .filter(({ deploymentId }) =>
        Object.values(workflows.deployment(deploymentId)?.components ?? {}).some(isIt),
      )
      .map(({ id, name }) => ({ id, name, type: 'workflow' as const })),
  ];
}
