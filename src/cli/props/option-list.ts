/** The options of a prop, searched as the user types; options that the component lists arrive page by page. */
import { OptionPages, type Option } from '../../client/option-pages.ts';
import type { Params, Result } from '../../protocol/catalogue.ts';
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { Choice, Choices } from '../prompt.ts';

export type Picked =
  | { readonly is: 'option'; readonly option: Option }
  /** The typed text, which is not one of the options. */
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'more' };

/** Asks the component for one page of options. */
export type ReadPage = (
  page: Pick<Params<'components.configure'>, 'page' | 'prev_context' | 'query'>,
  signal: AbortSignal | undefined,
) => Promise<Result<'components.configure'>>;

export class OptionList {
  readonly #prop: ConfigurableProp;
  readonly #readPage: ReadPage;
  readonly #pages = new OptionPages();
  #options: readonly Option[] = [];
  #hasMore = false;
  #problem: string | undefined;
  /** The query that the component was last called with; undefined before the first call. */
  #query: string | undefined;
  #reading: Promise<void> | undefined;
  /** More was asked for: the question is shown again, with nothing typed. */
  #isShownAgain = false;

  constructor(prop: ConfigurableProp, readPage: ReadPage) {
    this.#prop = prop;
    this.#readPage = readPage;
  }

  /** The options that fit, then the text itself, then a way to more of them. */
  async find(typed: string, signal: AbortSignal): Promise<Choices<Picked>> {
    await this.#load(typed, signal);
    const fitting = this.#asksForText() ? this.#options : matching(this.#options, typed);
    const choices: Choice<Picked>[] = fitting.map((option) => ({
      label: option.label,
      value: { is: 'option', option },
    }));
    if (typed !== '' && !fitting.some(({ label }) => label === typed)) {
      choices.push({ label: `Use "${typed}"`, value: { is: 'text', text: typed } });
    }
    if (this.#hasMore) choices.push({ label: 'Load more…', value: { is: 'more' } });
    const remark =
      this.#problem ?? (choices.length === 0 ? 'There are no options; type a value.' : undefined);
    return { choices, ...(remark !== undefined && { remark }) };
  }

  /** Reads the next page; the next list has it as well. */
  async more(): Promise<void> {
    await this.#read(true, undefined);
    this.#isShownAgain = true;
  }

  /** Whether the component itself looks for what was typed. */
  #asksForText(): boolean {
    return this.#prop.useQuery === true;
  }

  async #load(typed: string, signal: AbortSignal): Promise<void> {
    const { options, remoteOptions } = this.#prop;
    if (remoteOptions !== true) {
      this.#options = (options ?? []).map(optionOf);
      return;
    }
    const isSame = this.#isShownAgain && typed === '';
    if (typed !== '') this.#isShownAgain = false;
    const query = this.#asksForText() && !isSame ? typed : (this.#query ?? '');
    if (query !== this.#query) {
      this.#query = query;
      // A list that is only narrowed down here is read once, however soon something is typed.
      this.#reading = this.#read(false, this.#asksForText() ? signal : undefined);
    }
    await this.#reading;
  }

  async #read(next: boolean, signal: AbortSignal | undefined): Promise<void> {
    const { name } = this.#prop;
    const query = this.#query === undefined || this.#query === '' ? {} : { query: this.#query };
    try {
      const answer = await this.#readPage({ ...this.#pages.request(name, next), ...query }, signal);
      if (signal?.aborted === true) return;
      const { options, more } = this.#pages.answered(name, answer);
      this.#options = next ? [...this.#options, ...options] : options;
      this.#hasMore = more;
      this.#problem = answer.errors[0];
    } catch (error) {
      if (signal?.aborted === true) return;
      this.#options = next ? this.#options : [];
      this.#hasMore = false;
      this.#problem = messageOf(error);
    }
  }
}

/** A chosen option as it is configured: with its label where that says more than the value (P4.1). */
export function configuredOption({ label, value }: Option): unknown {
  return label === textOf(value) ? value : { __lv: { label, value } };
}

/** Several of them. */
export function configuredOptions(options: readonly Option[]): unknown {
  const areBare = options.every(({ label, value }) => label === textOf(value));
  return areBare ? options.map(({ value }) => value) : { __lv: options };
}

/** An option as the definition has it: a scalar, or `{label, value}`. */
function optionOf(option: unknown): Option {
  if (typeof option !== 'object' || option === null || !('value' in option)) {
    return { label: textOf(option), value: option };
  }
  const label = 'label' in option && typeof option.label === 'string' ? option.label : '';
  return { label: label === '' ? textOf(option.value) : label, value: option.value };
}

function matching(options: readonly Option[], typed: string): readonly Option[] {
  const wanted = typed.toLowerCase();
  return options.filter(({ label }) => label.toLowerCase().includes(wanted));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
