/**
 * What any implementation of `Store` has to hold. It knows the interface only: a second store is put
 * through it with an `OpenStore` of its own.
 */
import { describe, expect, test } from 'vitest';
import * as actionRuns from './action-runs.ts';
import * as commits from './commits.ts';
import * as configuration from './configuration.ts';
import * as dataStores from './data-stores.ts';
import * as deliveries from './deliveries.ts';
import * as durability from './durability.ts';
import * as events from './events.ts';
import * as inbox from './inbox.ts';
import * as logs from './logs.ts';
import * as ownership from './ownership.ts';
import * as retention from './retention.ts';
import { type OpenStore, type Topic, tryRule } from './rules.ts';
import * as scheduledEmits from './scheduled-emits.ts';
import * as search from './search.ts';
import * as unusualValues from './unusual-values.ts';
import * as executions from './executions.ts';
import { deployments, workflows } from './workflows.ts';

const topics: readonly Topic[] = [
  configuration,
  inbox,
  commits,
  ownership,
  durability,
  events,
  logs,
  deliveries,
  dataStores,
  actionRuns,
  retention,
  scheduledEmits,
  search,
  unusualValues,
  { workflows, deployments },
  executions,
].flatMap((file): Topic[] => Object.values(file));

/** Every rule as a test. @param implementation its name */
export function storeContract(implementation: string, open: OpenStore): void {
  describe(`the contract of a store, kept by ${implementation}`, () => {
    for (const { name, rules } of topics) {
      for (const rule of rules) {
        test(`${name}: ${rule.title}`, async () => {
          expect.hasAssertions();
          await tryRule(rule, open);
        });
      }
    }
  });
}

/** Tries some rules ("topic: title"). @returns those that are not kept */
export async function brokenRules(open: OpenStore, titles: readonly string[]): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, rules } of topics) {
    for (const rule of rules) {
      const title = `${name}: ${rule.title}`;
      if (!titles.includes(title)) continue;
      const kept = await tryRule(rule, open).then(
        () => true,
        () => false,
      );
      if (!kept) broken.push(title);
    }
  }
  return broken;
}
