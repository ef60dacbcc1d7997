/** The chapters of docs/rest-api.md, in its order. Each finds what those before it left. */
import { accounts } from './accounts.mts';
import { agents } from './agents.mts';
import { components } from './components.mts';
import { dataStores } from './data-stores.mts';
import { debugging } from './debugging.mts';
import { deliveries } from './deliveries.mts';
import { environment } from './environment.mts';
import { errors } from './errors.mts';
import { events } from './events.mts';
import { forms } from './forms.mts';
import { imports } from './imports.mts';
import { keys } from './keys.mts';
import { logs } from './logs.mts';
import { registries } from './registries.mts';
import { runs } from './runs.mts';
import { runtime } from './runtime.mts';
import { serviceDb } from './service-db.mts';
import { sources } from './sources.mts';
import type { Chapter } from './story.mts';
import { streams } from './streams.mts';
import { subscriptions } from './subscriptions.mts';
import { tests } from './tests.mts';
import { webhooks } from './webhooks.mts';
import { workflows } from './workflows.mts';

export const chapters: readonly Chapter[] = [
  errors,
  sources,
  runs,
  events,
  logs,
  streams,
  webhooks,
  subscriptions,
  deliveries,
  components,
  registries,
  forms,
  accounts,
  serviceDb,
  dataStores,
  workflows,
  imports,
  tests,
  environment,
  keys,
  agents,
  debugging,
  runtime,
];
