import { messageOf } from '../../protocol/errors.ts';
import type { BuilderParts } from './builder-parts.ts';

/** Sends the page the components that a step may use, once it asks. */
export class ComponentList {
  readonly #parts: BuilderParts;
  #last: AbortController | undefined;

  constructor(parts: BuilderParts) {
    this.#parts = parts;
  }

  dispose(): void {
    this.#last?.abort();
  }

  async post(): Promise<void> {
    this.#last?.abort();
    const controller = new AbortController();
    this.#last = controller;
    try {
      const client = await this.#parts.folder.link.ready();
      const { signal } = controller;
      const { data } = await client.call(
        'workflows.components',
        { workflow_path: this.#parts.file },
        { signal },
      );
      const components = data.map(({ key, version, name, description, from }) => ({
        uses: `${key}@${version}`,
        name,
        description,
        from,
      }));
      this.#parts.post({ t: 'components', components, problem: null });
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#parts.post({ t: 'components', components: [], problem: messageOf(error) });
    }
  }
}
