import type { Result } from '../../protocol/catalogue.ts';
import type { Option } from '../../webview/prop-form/messages.ts';

type Answer = Result<'components.configure'>;

interface Cursor {
  readonly page: number;
  readonly context: unknown;
  readonly known: ReadonlySet<string>;
}

/** Where each prop's list of options stands; the pages of a list follow each other (P5.10). */
export class OptionPages {
  readonly #cursors = new Map<string, Cursor>();

  /** What to ask for. @param next the page after the last one; else the first again */
  request(prop: string, next: boolean): { readonly page: number; readonly prev_context?: unknown } {
    if (!next) this.#cursors.delete(prop);
    const cursor = this.#cursors.get(prop);
    if (cursor === undefined) return { page: 0 };
    // Without a context of its own a list still expects an object.
    return { page: cursor.page + 1, prev_context: cursor.context ?? {} };
  }

  /**
   * The options that are new, and whether there may be more. A list that knows no pages gives the same
   * ones again: then it is at its end.
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
    return { options, more: options.length > 0 && !isSpent(answer.context) };
  }
}

/** A context whose every token is empty says that this was the last page (P5.11). */
function isSpent(context: unknown): boolean {
  if (typeof context !== 'object' || context === null) return false;
  return Object.values(context).every((token) => !token);
}
