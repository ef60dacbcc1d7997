/** The apps that components use, with what they read of an account: of components that are saved, and of those looked at since. */
import { appOf, type ComponentDefinition, needsNoAccount } from '../../../protocol/definition.ts';

type Definition = Pick<ComponentDefinition, 'type' | 'props'>;

export interface UsedApp {
  /** Fields of `$auth`, in the order they were found. */
  readonly keys: readonly string[];
  /** None of the components takes a credential of it. */
  readonly needsNoAccount: boolean;
  readonly isUsedBy: ReadonlySet<Definition['type']>;
}

export class UsedApps {
  readonly #saved: () => readonly Definition[];
  readonly #seen = new Map<string, UsedApp>();

  /** @param saved definitions of the components that are saved now */
  constructor(saved: () => readonly Definition[]) {
    this.#saved = saved;
  }

  /** A component that was looked at, deployed or not. */
  learn(definition: Definition): void {
    learn(this.#seen, definition);
  }

  /** By slug. */
  all(): ReadonlyMap<string, UsedApp> {
    const all = new Map(this.#seen);
    for (const definition of this.#saved()) learn(all, definition);
    return all;
  }
}

function learn(apps: Map<string, UsedApp>, { type, props }: Definition): void {
  for (const prop of props) {
    if (prop.type !== 'app') continue;
    const slug = appOf(prop);
    const { auth_keys: found } = prop;
    const keys = Array.isArray(found)
      ? (found as unknown[]).filter((key) => typeof key === 'string')
      : [];
    const before = apps.get(slug);
    apps.set(slug, {
      keys: [...new Set([...(before?.keys ?? []), ...keys])],
      needsNoAccount: needsNoAccount(prop) && before?.needsNoAccount !== false,
      isUsedBy: new Set([...(before?.isUsedBy ?? []), type]),
    });
  }
}
