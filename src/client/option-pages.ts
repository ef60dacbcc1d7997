import type { Result } from '../protocol/catalogue.ts';

type Answer = Result<'components.configure'>;

/** An option: the label in the list, and the value that is stored. */
export interface Option {
  readonly label: string;
  readonly value: unknown;
}

interface Cursor {
  readonly page: number;
  readonly context: unknown;
  readonly known: ReadonlySet<string>;
}

/** How far each prop's list of options has been read; pages are read in order (P5.10). */
export class OptionPages {
  readonly #cursors = new Map<string, Cursor>();

  /**
   * The parameters of the next call.
   * @param next the page after the last one; otherwise the first again
   */
  request(prop: string, next: boolean): { readonly page: number; readonly prev_context?: unknown } {
    if (!next) this.#cursors.delete(prop);
    const cursor = this.#cursors.get(prop);
    if (cursor === undefined) return { page: 0 };
    // A list expects an object, even when it returned no context.
    return { page: cursor.page + 1, prev_context: cursor.context ?? {} };
  }

  /**
   * The options that are new, and whether there may be more. A list without pages returns the same
   * options again, which ends it.
   */
  answered(
    prop: string,
    answer: Pick<Answer, 'options' | 'context'>,
  ): { readonly options: readonly Option[]; readonly more: boolean } {
    const cursor = this.#cursors.get(prop);
    const before = cursor?.known ?? new Set<string>();
    const known = new Set(before);
    const options: Option[] = [];
    for (const { label, value } of answer.options) {
      const key = JSON.stringify(value);
      if (known.has(key)) continue;
      known.add(key);
      options.push({ label, value });
    }
    this.#cursors.set(prop, {
      page: cursor === undefined ? 0 : cursor.page + 1,
      context: answer.context,
      known,
    });
    return { options, more: options.length > 0 && !isLast(answer.context) };
  }
}

/** A context with nothing but empty tokens means that this was the last page (P5.11). */
function isLast(context: unknown): boolean {
  if (typeof context !== 'object' || context === null) return false;
  return Object.values(context).every((token) => !token);
}
