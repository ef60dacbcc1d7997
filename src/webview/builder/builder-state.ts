/** The content of the builder's page and its actions, as its views see them. */
import type { DataPicker, LastData } from './data-picker.ts';
import type {
  Choice,
  Emitter,
  HostMessage,
  LastRun,
  Mark,
  Model,
  NewStep,
  PageMessage,
  Path,
  RegistrySearch,
} from './messages.ts';
import type { MountedForm } from './mounted-form.ts';
import type { ConditionKind } from './rules.ts';
import type { TextDrafts } from './text-drafts.ts';

export type Offers = Pick<Extract<HostMessage, { t: 'offers' }>, 'offers' | 'problems'>;

export interface Builder {
  readonly model: Model | undefined;
  readonly marks: readonly Mark[];
  readonly runs: Readonly<Record<string, LastRun>>;
  readonly runsAbout: string;
  readonly components: readonly Choice[] | undefined;
  readonly componentsProblem: string | null;
  /** The registries' components for `search`; undefined while they search. */
  readonly offers: Offers | undefined;
  /** The query to the registries. */
  readonly search: RegistrySearch;
  readonly emitters: readonly Emitter[];
  readonly notice: string;
  /** The unfolded part, as JSON of its path; `[]` is the workflow itself. */
  readonly open: string | null;
  /** The place where a step is being added. */
  readonly adding: Path | undefined;
  query: string;
  readonly own: MountedForm | undefined;
  readonly props: MountedForm | undefined;
  readonly data: LastData | undefined;
  readonly picker: DataPicker;
  readonly drafts: TextDrafts;
  /** How a condition is shown where a person chose another way than its value suggests, by its path as JSON. */
  readonly conditionKinds: Map<string, ConditionKind>;
  /** Earlier values of a choice, for a later return to it. */
  readonly remembered: Map<string, unknown>;
  receive(message: HostMessage): void;
  toggle(path: Path): void;
  startAdding(at: Path | undefined): void;
  /** Asks the registries, when nobody has typed on for a moment. */
  lookFor(search: RegistrySearch): void;
  add(step: NewStep): void;
  /** Gives the unfolded step one prop more. */
  addProp(name: string): void;
  send(message: WithoutVersion): void;
  /** Unfolds what was asked for once the text has it. */
  openNext(path: Path): void;
  /** Focuses an element once the text has what was asked for. */
  focusNext(id: string): void;
  readonly show: () => void;
}

/** A message of the page; the version of its text is added when it is sent. */
export type WithoutVersion = PageMessage extends infer M
  ? M extends { readonly version: number }
    ? Omit<M, 'version'>
    : M
  : never;

export function cardId(path: Path): string {
  return `card-${path.join('-')}`;
}

/** Id of the button that adds a step there. */
export function slotId(path: Path): string {
  return `slot-${path.join('-')}`;
}
