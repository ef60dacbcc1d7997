import type { Accounts } from '../../accounts/accounts.ts';
import type { Apps } from '../../accounts/apps/apps.ts';
import type { UsedApps } from '../../accounts/apps/used-apps.ts';
import type { Environment } from '../../accounts/environment/environment.ts';
import type { OAuthClients } from '../../accounts/oauth/clients.ts';
import type { AllowedCommands } from '../../accounts/oauth/command.ts';
import type { Connections } from '../../accounts/oauth/connections.ts';
import type { AccountKeeper } from '../../accounts/oauth/keeper.ts';
import type { Sealer } from '../../accounts/seal.ts';
import type { DataStores } from '../../components/data-stores/data-stores.ts';
import type { Debugging } from '../../components/debug/debugging.ts';
import type { Components } from '../../components/deployments/deployment.ts';
import type { Forms } from '../../components/forms/forms.ts';
import type { PropSets } from '../../components/forms/prop-sets.ts';
import type { PrepareOptions } from '../../components/prepare.ts';
import type { SavedComponents } from '../../components/saved-components.ts';
import type { Inbox } from '../../events/inbox.ts';
import type { Invocations } from '../../events/runs/invocations.ts';
import type { Services } from '../../events/services.ts';
import type { RegistrySources } from '../../registry/registry-sources.ts';
import type { Registries } from '../../registry/registries.ts';
import type { Registry } from '../../registry/registry.ts';
import type { AppHooks } from '../../sources/apphooks/app-hooks.ts';
import type { SigningSecrets } from '../../sources/apphooks/signing-secrets.ts';
import type { Instances } from '../../sources/instances.ts';
import type { Lifecycle } from '../../sources/lifecycle.ts';
import type { ExecutionKeys } from '../../workflows/executions/keys.ts';
import type { WorkflowInstances } from '../../workflows/lifecycle/instances.ts';
import type { Workflows } from '../../workflows/lifecycle/workflows.ts';
import type { TestReports } from '../../workflows/tests/outgoing.ts';
import type { AnyExecutions } from './executions.ts';
import type { OtherNodes } from './operations.ts';

/** The parts of the runtime that operations call, by name. The handlers of a group pick the ones that they use. */
export interface ApiServices extends Services {
  readonly accounts: Accounts;
  readonly allowedCommands: AllowedCommands;
  readonly appHooks: AppHooks;
  readonly apps: Apps;
  /** Brings a source or workflow to this node; undefined where there is no other. */
  readonly bring: OtherNodes['bring'] | undefined;
  readonly components: Components;
  readonly connections: Connections;
  /** Absolute path. */
  readonly dataFolder: string;
  readonly dataStores: DataStores;
  readonly debugging: Debugging;
  /** Folder of the built files, some of which are part of every step in Python or Bash. */
  readonly dist: string;
  /** URL of an endpoint by its id. */
  readonly endpointUrl: (id: string) => string;
  readonly environment: Environment;
  /** Steps that begin from now on see the changed environment. */
  readonly environmentChanged: () => void;
  readonly executionKeys: ExecutionKeys;
  readonly executions: AnyExecutions;
  readonly forms: Forms;
  readonly inbox: Inbox;
  readonly instances: Instances;
  readonly invocations: Invocations;
  readonly keeper: AccountKeeper;
  readonly lifecycle: Lifecycle;
  readonly oauthClients: OAuthClients;
  readonly places: RegistrySources;
  readonly prepare: PrepareOptions;
  readonly propSets: PropSets;
  readonly registries: Registries;
  readonly registry: Registry;
  readonly resumeUrl: (token: string, action: 'resume' | 'cancel') => string;
  readonly savedComponents: SavedComponents;
  readonly sealer: Sealer;
  readonly signingSecrets: SigningSecrets;
  /** Folder for the files of a source. */
  readonly stashDir: (sourceId: string) => string;
  /** What the newest tests sent. */
  readonly testReports: Pick<TestReports, 'get' | 'set'>;
  readonly usedApps: UsedApps;
  readonly workflowInstances: WorkflowInstances;
  readonly workflows: Workflows;
  /** Absolute path of the folder whose lock file counts. */
  readonly workspace: string;
}
