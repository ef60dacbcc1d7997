/** Every secret that a run was given, hidden in what is written into a repository: tests, archives, pins (pure). */
import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { HostConfiguration } from '../../../protocol/host.ts';
import { joinedMask, type Mask, maskOf } from '../../../protocol/mask.ts';
import { removed } from '../../../protocol/secret-shapes.ts';
import { textsIn } from '../../../protocol/secret-values.ts';
import { accountMask } from './kept-requests.ts';

export interface RunSecrets {
  readonly definition: Pick<ComponentDefinition, 'props'>;
  /** Values in clear, as the code got them. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly accounts: HostConfiguration['accounts'];
  /** Hides environment variables. */
  readonly environment: Mask;
}

/**
 * Secret props become the value that a saved test gives them, {@link removed}, so that code which puts one into a text
 * makes the same text when the test runs.
 */
export function secretsMask({ definition, props, accounts, environment }: RunSecrets): Mask {
  const secret = new Set(definition.props.flatMap((prop) => (prop.secret ? [prop.name] : [])));
  const masks = Object.entries(props)
    .filter(([name]) => secret.has(name))
    .flatMap(([, value]) => textsIn(value))
    .map((text) => maskOf({ [removed.slice(1, -1)]: text }));
  return joinedMask([...masks, accountMask(accounts), environment]);
}
