/** What the builder's page shows and what can be done in it, as its views see it. */
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
  /** What the registries have for `search`; undefined while they look. */
  readonly offers: Offers | undefined;
  /** What the registries are asked for. */
  readonly search: RegistrySearch;
  readonly emitters: readonly Emitter[];
  readonly notice: string;
  /** What is unfolded, as JSON of its path; `[]` is the workflow itself. */
  readonly open: string | null;
  /** Where a step is being added. */
  readonly adding: Path | undefined;
  query: string;
  readonly own: MountedForm | undefined;
  readonly props: MountedForm | undefined;
  readonly data: LastData | undefined;
  readonly picker: DataPicker;
  readonly drafts: TextDrafts;
  /** How a condition is shown where a person chose another way than its value suggests, by its path as JSON. */
  readonly conditionKinds: Map<string, ConditionKind>;
  /** What was there before another way was chosen, for the way back. */
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

/** What the page asks for; of which text it speaks is added when it is sent. */
export type WithoutVersion = PageMessage extends infer M
  ? M extends { readonly version: number }
    ? Omit<M, 'version'>
    : M
  : never;

export function cardId(path: Path): string {
  return `card-${path.join('-')}`;
}

/** Of the button that adds a step there. */
export function slotId(path: Path): string {
  return `slot-${path.join('-')}`;
}
