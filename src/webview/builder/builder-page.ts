/** The builder's state, and what becomes of messages and clicks. */
import type { Host } from '../shared/vscode-api.ts';
import { expressionsFor, type LastData } from './expression-field.ts';
import type {
  Choice,
  Emitter,
  HostMessage,
  LastRun,
  Mark,
  Model,
  NewStep,
  PageMessage,
  PageState,
  Path,
  Values,
} from './messages.ts';
import { mountForm, type MountedForm } from './mounted-form.ts';
import {
  branchFields,
  stepFields,
  triggerFields,
  valueAt,
  valuesOf,
  workflowFields,
  type OwnField,
} from './own-fields.ts';

export interface Builder {
  readonly model: Model | undefined;
  readonly marks: readonly Mark[];
  readonly runs: Readonly<Record<string, LastRun>>;
  readonly runsAbout: string;
  readonly components: readonly Choice[] | undefined;
  readonly componentsProblem: string | null;
  readonly notice: string;
  /** What is unfolded, as JSON of its path; `[]` is the workflow itself. */
  readonly open: string | null;
  /** Where a step is being added. */
  readonly adding: Path | undefined;
  query: string;
  readonly own: MountedForm | undefined;
  readonly props: MountedForm | undefined;
  readonly data: LastData | undefined;
  receive(message: HostMessage): void;
  toggle(path: Path): void;
  startAdding(at: Path | undefined): void;
  add(step: NewStep): void;
  send(message: WithoutVersion): void;
  show(): void;
}

type WithoutVersion = PageMessage extends infer M
  ? M extends { readonly version: number }
    ? Omit<M, 'version'>
    : M
  : never;

export function createBuilder(
  host: Host<HostMessage, PageMessage, PageState>,
  show: () => void,
): Builder {
  let forms = 0;
  let emitters: readonly Emitter[] = [];
  /** What waits for the text that the page has asked for. */
  const queue: WithoutVersion[] = [];
  let isWaiting = false;

  const next = (): void => {
    const message = isWaiting || b.model === undefined ? undefined : queue.shift();
    if (message === undefined) return;
    isWaiting = true;
    host.post({ ...message, version: b.model?.version ?? 0 } as PageMessage);
  };
  const fieldsAt = (path: Path, thing: Values): readonly OwnField[] => {
    if (path.length === 0) return workflowFields;
    if (path[0] === 'triggers') return triggerFields(thing['uses'], emitters);
    return path.at(-2) === 'branches' ? branchFields : stepFields(thing);
  };
  const mountOwn = (path: Path, thing: Values): MountedForm => {
    const own = fieldsAt(path, thing);
    return mountForm({
      prefix: 'own-',
      values: valuesOf(own, thing),
      props: own.map(({ prop }) => prop),
      show,
      post: () => undefined,
      expressions: mayBeExpression(path, thing)
        ? (form) => expressionsFor(b, form, show)
        : undefined,
      changed: (changes) =>
        b.send({
          t: 'change',
          changes: changes.map(([name, value]) => ({
            path: [...path, ...(own.find(({ prop }) => prop.name === name)?.at ?? [name])],
            ...(value !== undefined && { value }),
          })),
        }),
    });
  };
  const closeForms = (): void => {
    b.own?.flush();
    b.props?.flush();
    if (b.props !== undefined) host.post({ t: 'closeForm' });
    Object.assign(b, { own: undefined, props: undefined, data: undefined });
  };
  const openForms = (path: Path): void => {
    const thing = valueAt(b.model?.values, path) as Values | undefined;
    if (thing === undefined) return;
    const own = mountOwn(path, thing);
    let props: MountedForm | undefined;
    if (path.at(-2) === 'steps' && typeof thing['uses'] === 'string') {
      const form = (forms += 1);
      props = mountForm({
        prefix: 'step-',
        values: (thing['props'] ?? {}) as Values,
        show,
        post: (message) => host.post({ t: 'form', form, message }),
        expressions: (mounted) => expressionsFor(b, mounted, show),
        changed: (changes) =>
          b.send({
            t: 'change',
            changes: changes.map(([name, value]) => ({
              path: [...path, 'props', name],
              ...(value !== undefined && { value }),
            })),
          }),
      });
      host.post({ t: 'openForm', form, path });
    }
    Object.assign(b, { own, props });
  };
  const b: Builder = {
    model: undefined,
    marks: [],
    runs: {},
    runsAbout: '',
    components: undefined,
    componentsProblem: null,
    notice: '',
    open: null,
    adding: undefined,
    query: '',
    own: undefined,
    props: undefined,
    data: undefined,
    show,
    receive(message) {
      switch (message.t) {
        case 'model': {
          Object.assign(b, { model: message.model });
          isWaiting = false;
          const path = b.open === null ? undefined : (JSON.parse(b.open) as Path);
          const thing = path && (valueAt(message.model.values, path) as Values | undefined);
          if (path !== undefined && thing === undefined && message.model.values !== null) {
            closeForms();
            Object.assign(b, { open: null });
          } else if (path !== undefined && thing !== undefined) {
            b.own?.sync(valuesOf(fieldsAt(path, thing), thing));
            b.props?.sync((thing['props'] ?? {}) as Values);
          }
          next();
          break;
        }
        case 'form':
          if (message.form === forms) b.props?.receive(message.message);
          break;
        case 'data':
          if (message.form === forms)
            Object.assign(b, { data: { steps: message.steps, given: message.given } });
          break;
        case 'marks':
          Object.assign(b, { marks: message.marks });
          break;
        case 'runs':
          Object.assign(b, { runs: message.runs, runsAbout: message.about });
          break;
        case 'emitters':
          ({ emitters } = message);
          break;
        case 'components':
          Object.assign(b, { components: message.components, componentsProblem: message.problem });
          break;
        case 'refused':
          isWaiting = false;
          Object.assign(b, { notice: message.problem });
          break;
        case 'reveal': {
          closeForms();
          Object.assign(b, { open: JSON.stringify(message.path) });
          openForms(message.path);
          focusLater(message.path);
          break;
        }
        default:
          return message satisfies never;
      }
      show();
    },
    toggle(path) {
      const key = JSON.stringify(path);
      const isOpen = b.open === key;
      closeForms();
      Object.assign(b, { open: isOpen ? null : key });
      if (!isOpen) openForms(path);
      show();
    },
    startAdding(at) {
      Object.assign(b, { adding: at, query: '' });
      if (at !== undefined && b.components === undefined) host.post({ t: 'components' });
      show();
      if (at !== undefined) setTimeout(() => document.getElementById('add-search')?.focus());
    },
    add(step) {
      const at = b.adding;
      Object.assign(b, { adding: undefined });
      if (at !== undefined) b.send({ t: 'add', at, step });
      show();
    },
    send(message) {
      Object.assign(b, { notice: '' });
      const isEdit = ['change', 'insert', 'add', 'move', 'remove', 'duplicate', 'rename'].includes(
        message.t,
      );
      if (!isEdit) return host.post(message as PageMessage);
      queue.push(message);
      next();
    },
  };
  return b;
}

/** The list of a loop, what a switch compares, and the condition of a branch. */
function mayBeExpression(path: Path, { control }: Values): boolean {
  return path.at(-2) === 'branches' || control === 'each' || control === 'switch';
}

function focusLater(path: Path): void {
  setTimeout(() => {
    const card = document.getElementById(cardId(path));
    card?.focus();
    card?.scrollIntoView({ block: 'nearest' });
  });
}

export function cardId(path: Path): string {
  return `card-${path.join('-')}`;
}
