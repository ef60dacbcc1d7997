import { readFile } from 'node:fs/promises';
import type { ComponentDefinition, ConfigurableProp } from '../../../protocol/definition.ts';
import { withAuthKeys } from '../../components/auth-keys.ts';
import type { Deployment } from '../../components/deployments/deployment.ts';
import { readText, type ReadProp } from '../../components/read-text.ts';

/**
 * A step's definition as its bundled code spells it out; nothing of it is run. A prop whose type only a run would tell is not
 * among its props, and additional props are not computed.
 */
export async function readDefinition({
  bundle,
  appKeys,
}: Pick<Deployment, 'bundle' | 'appKeys'>): Promise<ComponentDefinition> {
  const text = await readText(bundle, await readFile(bundle, 'utf8'));
  const props = (text?.props ?? []).map(propOf);
  return {
    name: text?.name ?? '',
    key: text?.key ?? null,
    type: 'action',
    version: text?.version ?? null,
    description: text?.description ?? null,
    dedupe: null,
    props: appKeys === undefined ? props : withAuthKeys(props, appKeys),
    hooks: [],
    hasRun: true,
    hasAdditionalProps: false,
  };
}

/** Options and defaults that nobody can read allow any value, and none. */
function propOf({ unread, ...prop }: ReadProp): ConfigurableProp {
  const names: readonly unknown[] = Array.isArray(unread) ? unread : [];
  return {
    ...prop,
    ...(names.includes('options') && { remoteOptions: true }),
    ...(names.includes('default') && { optional: true }),
  };
}
