/**
 * Every operation of the runtime: its name, what it takes, what it returns, where it stands in REST.
 * The faces (RPC, REST, CLI) are made from this table and add no rule of their own; the handlers in
 * `src/runtime/operations` are typed by it, so one that is missing does not compile.
 *
 * Loaded by the runtime and by `mcp` only. Other clients see its types through `../catalogue.ts`.
 */
import * as accounts from './accounts.ts';
import * as actions from './actions.ts';
import * as agents from './agents.ts';
import * as apps from './apps.ts';
import * as autoSubscriptions from './auto-subscriptions.ts';
import * as carryOver from './carry-over.ts';
import * as comparisons from './comparisons.ts';
import * as componentFiles from './component-files.ts';
import * as components from './components.ts';
import * as dataStores from './data-stores.ts';
import * as debug from './debug.ts';
import * as deliveries from './deliveries.ts';
import * as dryRun from './dry-run.ts';
import * as environment from './environment.ts';
import * as events from './events.ts';
import * as forms from './forms.ts';
import * as imports from './imports.ts';
import * as invocations from './invocations.ts';
import * as keys from './keys.ts';
import * as logs from './logs.ts';
import * as page from './page.ts';
import * as pins from './pins.ts';
import * as registries from './registries.ts';
import * as runtime from './runtime.ts';
import * as serviceDb from './service-db.ts';
import * as sources from './sources.ts';
import * as subscriptions from './subscriptions.ts';
import * as tests from './tests.ts';
import * as uploads from './uploads.ts';
import * as webhooks from './webhooks.ts';
import * as workflows from './workflows.ts';

/** In the order of the documents. */
export const catalogue = {
  ...runtime.operations,
  // Before the operations with an id at the same place of the path.
  ...registries.operations,
  ...components.operations,
  ...componentFiles.operations,
  ...uploads.operations,
  ...forms.operations,
  ...actions.operations,
  ...sources.operations,
  ...serviceDb.operations,
  ...invocations.operations,
  ...workflows.operations,
  ...comparisons.operations,
  ...pins.operations,
  ...imports.operations,
  ...carryOver.operations,
  ...tests.operations,
  ...dryRun.operations,
  ...debug.operations,
  ...events.operations,
  ...logs.operations,
  ...webhooks.operations,
  ...subscriptions.operations,
  ...autoSubscriptions.operations,
  ...deliveries.operations,
  ...accounts.operations,
  ...apps.operations,
  ...dataStores.operations,
  ...environment.operations,
  ...keys.operations,
  ...agents.operations,
};

export type Catalogue = typeof catalogue;

/** The modules whose schemas the documents name, each by its export: `logLine` is `LogLine`. */
export const resources = [
  page,
  runtime,
  components,
  componentFiles,
  registries,
  forms,
  actions,
  sources,
  serviceDb,
  invocations,
  workflows,
  imports,
  tests,
  dryRun,
  debug,
  events,
  logs,
  webhooks,
  subscriptions,
  autoSubscriptions,
  deliveries,
  accounts,
  apps,
  dataStores,
  environment,
  keys,
  agents,
];
