/** The configuration of a store, as the rules say and nothing else (see plain-store.ts). */
import { WeirError } from '../../../src/protocol/errors.ts';
import type { AccountRecord } from '../../../src/runtime/store/configuration/accounts.ts';
import type { ComponentRecord } from '../../../src/runtime/store/configuration/components.ts';
import type { SourceRecord } from '../../../src/runtime/store/configuration/sources.ts';
import type {
  AutoSubscriptionRecord,
  SubscriptionRecord,
} from '../../../src/runtime/store/configuration/subscriptions.ts';
import type {
  WebhookChange,
  WebhookRecord,
} from '../../../src/runtime/store/configuration/webhooks.ts';
import type { DataStoreRecord } from '../../../src/runtime/store/history/data-stores.ts';
import {
  emptyState,
  ensure,
  type Entry,
  insert,
  isAlive,
  put,
  remove,
  type State,
} from './state.ts';

export class PlainConfiguration {
  readonly state: State;

  constructor(state: State = emptyState()) {
    this.state = state;
  }

  changeSource(id: string, change: (before: SourceRecord) => SourceRecord): SourceRecord {
    const before = this.state.sources.find((one) => one.id === id);
    if (before === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
    const record = change(before);
    put(this.state.sources, record);
    return structuredClone(record);
  }

  renameSource(id: string, name: string, slug: string, updatedAt: number): SourceRecord {
    return this.changeSource(id, (before) => {
      return { ...before, name, slug: this.freeSlug(slug, id), updatedAt };
    });
  }

  /** @returns ids of the subscriptions that were made */
  endDeploy(id: string, updatedAt: number, newId: () => string): string[] {
    this.changeSource(id, (before) => ({ ...before, deploying: false, active: true, updatedAt }));
    return this.state.autoSubscriptions
      .map(({ listenerId, channel }) =>
        this.ensureSubscription({ id: newId(), emitterId: id, listenerId, channel }),
      )
      .filter(({ created }) => created)
      .map(({ record }) => record.id);
  }

  setNextTick(interfaceId: string, nextAt: number | undefined): void {
    this.moveTick(interfaceId, nextAt);
  }

  insertWebhook(record: WebhookRecord): void {
    insert(this.state.webhooks, record);
  }

  changeWebhook(id: string, change: (before: WebhookRecord) => WebhookRecord): WebhookRecord {
    const before = this.state.webhooks.find((one) => one.id === id);
    if (before === undefined) throw new WeirError('not_found', `There is no webhook ${id}.`);
    const record = change(before);
    put(this.state.webhooks, record);
    return structuredClone(record);
  }

  updateWebhook(id: string, change: WebhookChange): WebhookRecord {
    return this.changeWebhook(id, (before) => ({ ...before, ...change }));
  }

  ensureSubscription(record: SubscriptionRecord) {
    return ensure(
      this.state.subscriptions,
      record,
      (one) =>
        one.emitterId === record.emitterId &&
        one.listenerId === record.listenerId &&
        one.channel === record.channel,
    );
  }

  ensureAutoSubscription(record: AutoSubscriptionRecord) {
    return ensure(
      this.state.autoSubscriptions,
      record,
      (one) => one.listenerId === record.listenerId && one.channel === record.channel,
    );
  }

  ensureComponent(record: ComponentRecord): ComponentRecord {
    const same = (one: ComponentRecord) => one.hash === record.hash && one.path === record.path;
    return ensure(this.state.components, record, same).record;
  }

  publish(record: ComponentRecord, key: string, version: string): void {
    ensure(this.state.components, record, ({ id }) => id === record.id);
    this.state.published.set(key, { key, version, componentId: record.id });
  }

  removeUnusedComponents(): string[] {
    const { components, sources, published } = this.state;
    const hashes = () => new Set(components.map(({ hash }) => hash));
    const before = hashes();
    const used = new Set([...sources, ...published.values()].map(({ componentId }) => componentId));
    remove(components, ({ id }) => !used.has(id));
    const after = hashes();
    return [...before].filter((hash) => !after.has(hash));
  }

  ensureSetting(key: string, value: string): string {
    const found = this.state.settings.get(key);
    if (found === undefined) this.state.settings.set(key, value);
    return found ?? value;
  }

  insertAccount(record: AccountRecord): void {
    insert(this.state.accounts, record);
  }

  replaceAccount(record: AccountRecord): void {
    if (!this.state.accounts.some(({ id }) => id === record.id))
      throw new WeirError('not_found', `There is no account ${record.id}.`);
    put(this.state.accounts, record);
  }

  ensureDataStore(record: DataStoreRecord): DataStoreRecord {
    return ensure(this.state.dataStores, record, ({ name }) => name === record.name).record;
  }

  deleteDataStore(id: string): void {
    remove(this.state.dataStores, (one) => one.id === id);
    remove(this.state.entries, ({ store }) => store === id);
  }

  setEntry(entry: Entry): void {
    this.deleteEntry(entry.store, entry.key);
    this.state.entries.push(entry);
  }

  /** @returns whether there was one whose JSON text is `before` */
  replaceEntry(entry: Entry, before: string, at: number): boolean {
    const isOld = (one: Entry) =>
      one.store === entry.store && one.key === entry.key && one.json === before && isAlive(one, at);
    if (!this.state.entries.some(isOld)) return false;
    this.setEntry(entry);
    return true;
  }

  setExpiry(store: string, key: string, expiresAt: number | null, at: number): void {
    this.state.entries = this.state.entries.map((entry) =>
      entry.store === store && entry.key === key && isAlive(entry, at)
        ? { ...entry, expiresAt }
        : entry,
    );
  }

  deleteEntry(store: string, key: string): void {
    remove(this.state.entries, (entry) => entry.store === store && entry.key === key);
  }

  freeSlug(wished: string, id: string): string {
    const taken = (slug: string) =>
      this.state.sources.some((one) => one.slug === slug && one.id !== id);
    for (let n = 0; ; n++) {
      const slug = n === 0 ? wished : `${wished}-${n}`;
      if (!taken(slug)) return slug;
    }
  }

  moveTick(interfaceId: string, nextAt: number | undefined, ofSource?: string): void {
    const source = this.state.sources.find(
      ({ id, interfaces }) =>
        (ofSource === undefined || id === ofSource) &&
        interfaces.some((one) => one.id === interfaceId),
    );
    if (source === undefined) throw new WeirError('not_found', `There is no ${interfaceId}.`);
    const interfaces = source.interfaces.map(({ nextAt: before, ...rest }) => {
      const at = rest.id === interfaceId ? nextAt : before;
      return at === undefined ? rest : { ...rest, nextAt: at };
    });
    put(this.state.sources, { ...source, interfaces });
  }

  /** @returns ids of the subscriptions that went with it */
  deleteListener(id: string): string[] {
    remove(this.state.autoSubscriptions, ({ listenerId }) => listenerId === id);
    return remove(
      this.state.subscriptions,
      ({ emitterId, listenerId }) => emitterId === id || listenerId === id,
    ).map((one) => one.id);
  }
}
