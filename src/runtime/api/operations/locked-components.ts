import type { ApiServices } from './api-services.ts';
import { join } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import type { Lifecycle } from '../../sources/lifecycle.ts';
import { changesBetween } from '../../registry/changes.ts';
import { requireNamed } from '../../../protocol/write-inside.ts';
import { ejectFiles, removeEjected } from '../../registry/eject.ts';
import { noteOfLicense } from '../../registry/license.ts';
import { entryReference, type LockEntry } from '../../registry/lock.ts';
import { isRelease } from '../../registry/locked-offer.ts';
import type { UsesStore } from '../../store/store.ts';
import { type ComponentUser, usersOf } from './component-users.ts';
import type { Handlers } from './operations.ts';
import { foreignReference, presentEntry, presentOffer } from './present-registries.ts';

type LockedComponentHandlers = Pick<
  Handlers,
  | 'components.outdated'
  | 'components.licenses'
  | 'components.compare'
  | 'components.update'
  | 'components.eject'
>;

export interface LockedComponentHandlerParts
  extends
    UsesStore<'components' | 'sources' | 'workflows'>,
    Pick<ApiServices, 'registry' | 'lifecycle' | 'bring' | 'workspace'> {}

/** The target of an update or an eject. */
interface Target {
  readonly entry: LockEntry;
  readonly sources: readonly ComponentUser[];
}

export function lockedComponentHandlers(
  parts: LockedComponentHandlerParts,
): LockedComponentHandlers {
  const { registry, store, lifecycle, workspace } = parts;

  async function targetOf(component: string): Promise<Target> {
    const source = store.sources.find(component);
    if (source === undefined) {
      const entry = await registry.entry(foreignReference(component));
      const cached = await registry.cached(entry);
      const users = cached === undefined ? [] : usersOf(store, cached.path);
      return { entry, sources: users.filter(({ type }) => type === 'source') };
    }
    const path = store.components.get(source.componentId)?.path;
    const entry = typeof path === 'string' ? await registry.entryAt(path) : undefined;
    if (entry !== undefined) {
      return { entry, sources: [{ id: source.id, name: source.name, type: 'source' }] };
    }
    throw new WeirError(
      'bad_input',
      `${source.name} runs no component of weir.lock.json, but ${path ?? 'code that was given as text'}: update it with --file.`,
    );
  }

  /** Updates the sources to the file; the first failure ends it. */
  async function bring(
    sources: readonly ComponentUser[],
    path: string,
    context: Parameters<Lifecycle['update']>[2],
    begun: (source: ComponentUser) => void,
  ): Promise<void> {
    for (const source of sources) {
      context.progress(`Updating ${source.name}`);
      const done = await parts.bring?.(source.id);
      try {
        await lifecycle.update(source.id, { component_path: path, install: true }, context);
      } finally {
        done?.();
      }
      begun(source);
    }
  }

  return {
    'components.outdated': async ({ key }, { signal }) => {
      const found = await registry.standings(key, signal);
      const data = await Promise.all(
        found.map(async ({ entry, newer, isUnpublished, deprecated, problem }) => {
          const cached = await registry.cached(entry);
          return {
            key: entry.key,
            reference: entryReference(entry),
            type: cached?.facts.type ?? null,
            path: cached?.path ?? null,
            current: entry.version,
            newest: newer?.version ?? entry.version,
            is_outdated: newer !== undefined,
            newer: newer === undefined ? null : presentOffer(newer),
            unpublished: isUnpublished,
            deprecated: deprecated ?? null,
            problem: problem ?? null,
            registry: entry.registry,
            package: entry.package ?? null,
            package_version: entry.packageVersion ?? null,
            used_by: cached === undefined ? [] : usersOf(store, cached.path),
          };
        }),
      );
      return { data };
    },
    'components.licenses': async () => ({
      data: (await registry.locked()).map(({ key, version, registry: place, license }) => ({
        key,
        version,
        registry: place,
        license: license ?? null,
        note: noteOfLicense(license) ?? null,
      })),
    }),
    'components.compare': async ({ component, to }, { signal, adHoc }) => {
      const { entry, sources } = await targetOf(component);
      const offer = await registry.target(entry, to, { signal, adHoc });
      const [before, after] = await Promise.all([
        registry.readLocked(entry, signal),
        registry.read(offer, signal),
      ]);
      return {
        key: entry.key,
        from: presentEntry(entry),
        to: presentOffer(offer),
        is_same: isRelease(entry, offer),
        changes: before === undefined ? null : changesBetween(before, after),
        code: { before: before?.code ?? null, after: after.code },
        used_by: [...sources],
        trust: (await registry.question(after.facts)) ?? null,
      };
    },
    'components.update': async ({ component, to }, context) => {
      const { entry, sources } = await targetOf(component);
      const before = await registry.cached(entry);
      const offer = await registry.target(entry, to, context);
      const wasLocked = await registry.isLocked(offer);
      const taken = await registry.take(offer, entry, context);
      const updated: ComponentUser[] = [];
      const isOther = taken.path !== before?.path;
      try {
        const all = isOther ? sources : [];
        await bring(all, taken.path, context, (source) => updated.push(source));
      } catch (error) {
        // No source uses the new version, so the lock entry is restored.
        if (!wasLocked && usersOf(store, taken.path).length === 0) {
          await registry.replace(taken.entry, entry);
        }
        throw error;
      }
      const remaining = before === undefined || !isOther ? [] : usersOf(store, before.path);
      if (isOther && remaining.length === 0 && taken.entry.version !== entry.version) {
        await registry.release(entry);
      }
      return {
        key: entry.key,
        from: entry.version,
        to: taken.entry.version,
        reference: entryReference(taken.entry),
        path: taken.path,
        updated,
        remaining,
        locked: presentEntry(taken.entry),
      };
    },
    'components.eject': async ({ component, into }, context) => {
      const entry = await registry.entry(foreignReference(component));
      const { path: before, facts } = await registry.obtainEntry(entry, context);
      const folder = into ?? join(workspace, entry.key.replace('@', '').replace('/', '-'));
      await requireNamed(workspace, folder);
      const made = await ejectFiles(before, entry.file, folder, context.signal);
      const users = usersOf(store, before);
      const updated: ComponentUser[] = [];
      try {
        const sources = users.filter(({ type }) => type === 'source');
        await bring(sources, made.path, context, (source) => updated.push(source));
      } catch (error) {
        if (usersOf(store, made.path).length === 0) await removeEjected(folder);
        throw error;
      }
      await registry.release(entry);
      return {
        key: entry.key,
        version: entry.version,
        folder,
        path: made.path,
        files: [...made.files],
        license: facts.license ?? null,
        updated,
        remaining: users.filter(({ type }) => type === 'workflow'),
      };
    },
  };
}
