/** Makes the configuration of a step in its process. Secrets are in the clear from here on. */
import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { HostConfiguration } from '../../../protocol/host.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { PrepareOptions } from '../../components/prepare.ts';
import type { Environment } from '../../accounts/environment/environment.ts';
import { accountIds } from '../../components/props/configured.ts';
import { withDefaults } from '../../components/props/validation.ts';
import { withoutItems } from '../../../protocol/step-path.ts';
import type { ActionTask } from '../walk/walk.ts';
import { boundProps } from './bound-props.ts';
import { stepDefinition } from './step-props.ts';
import type { Services } from '../../events/services.ts';

export interface StepConfigurationOptions extends Pick<Services, 'emitters'> {
  readonly prepare: Pick<PrepareOptions, 'accountsOf' | 'accountsOfApp'>;
  readonly accounts: Pick<Accounts, 'credentialsOf'>;
  readonly stashDir: (id: string) => string;
  readonly legsDir: (id: string) => string;
  /** Folder shared by all workflows. */
  readonly filesDir: string;
  readonly environment: Pick<Environment, 'all'>;
}

export function stepConfiguration(
  options: StepConfigurationOptions,
  workflowId: string,
  { path, step }: ActionTask,
  definition: ComponentDefinition,
): HostConfiguration {
  const { prepare, emitters, accounts, stashDir, legsDir, filesDir, environment } = options;
  const full = stepDefinition(definition, step);
  const bound = boundProps(prepare, full, step.props);
  const complete = withDefaults(full, bound);
  const { propSet } = step;
  // Its process computes the set from the evaluated values: a default that is filled in here would count as a value
  // then.
  const props = definition.hasAdditionalProps && propSet === undefined ? bound : complete;
  return {
    sourceId: workflowId,
    props,
    accounts: accounts.credentialsOf(accountIds(complete)),
    endpoints: {},
    db: dbOf(emitters.get(workflowId)?.db.snapshot() ?? {}, withoutItems(path)),
    stashDir: stashDir(workflowId),
    legsDir: legsDir(workflowId),
    filesDir,
    env: environment.all(),
    ...(propSet !== undefined && { propSet }),
  };
}

/** The part of the workflow's db that belongs to this step: its path is the prefix of the prop. */
function dbOf(db: HostConfiguration['db'], path: string): HostConfiguration['db'] {
  const own = `${path}.`;
  return Object.fromEntries(
    Object.entries(db).flatMap(([prop, contents]) =>
      prop.startsWith(own) ? [[prop.slice(own.length), contents]] : [],
    ),
  );
}
