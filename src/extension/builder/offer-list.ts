import type { RegistrySearch } from '../../webview/builder/messages.ts';
import { messageOf } from '../../protocol/errors.ts';
import { rowOf } from '../registry/search-text.ts';
import { usableName } from '../registry/usable-name.ts';
import type { BuilderParts } from './builder-parts.ts';

/** Sends the page the registries' components for a step during a search. Nothing of them is run. */
export class OfferList {
  readonly #parts: BuilderParts;
  #last: AbortController | undefined;

  constructor(parts: BuilderParts) {
    this.#parts = parts;
  }

  dispose(): void {
    this.#last?.abort();
  }

  async post(search: RegistrySearch): Promise<void> {
    const { folder, context } = this.#parts;
    // A component that another machine's runtime fetches is locked there.
    if (folder.remote !== undefined) return;
    this.#last?.abort();
    const controller = new AbortController();
    this.#last = controller;
    const { signal } = controller;
    const { query, app } = search;
    const asked = { type: 'action' as const, query, ...(app !== null && { app }) };
    try {
      const client = await folder.link.ready();
      const found = await client.call('components.search', asked, { signal });
      const name = usableName(found.components);
      const offers = found.components.flatMap((one) => {
        const uses = name(one);
        if (uses === undefined || one.key === null) return [];
        const { detail } = rowOf(one, context.clock.now());
        const { description, app: of } = one;
        return [{ uses, name: one.name ?? one.key, description, from: detail, app: of }];
      });
      const problems = found.problems.map(({ registry, message }) => `${registry}: ${message}`);
      this.#parts.post({ t: 'offers', search, offers, problems });
    } catch (error) {
      if (signal.aborted) return;
      this.#parts.post({ t: 'offers', search, offers: [], problems: [messageOf(error)] });
    }
  }
}
