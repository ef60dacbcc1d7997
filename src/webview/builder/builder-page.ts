/** The builder's state, and what becomes of messages and clicks. */
import { textOf } from '../prop-form/values.ts';
import type { Host } from '../shared/vscode-api.ts';
import { cardId, slotId, type Builder, type WithoutVersion } from './builder-state.ts';
import { fieldsAt, hasProps, mountOwn, mountProps, shapeOf } from './card-forms.ts';
import { createDataPicker } from './data-picker.ts';
import type { HostMessage, PageMessage, PageState, Path, Values } from './messages.ts';
import type { MountedForm } from './mounted-form.ts';
import { valueAt, valuesOf } from './own-fields.ts';
import { followed } from './places.ts';
import { createTextDrafts } from './text-drafts.ts';

/** While somebody types, in ms. */
const searchPauseMs = 300;

export function createBuilder(
  host: Host<HostMessage, PageMessage, PageState>,
  show: () => void,
): Builder {
  let forms = 0;
  /** Edits that wait for the one before them. */
  const queue: WithoutVersion[] = [];
  /** The version of the text that the edit under way was asked of. */
  let asked: number | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;

  const next = (): void => {
    const version = b.model?.version;
    if (asked !== undefined || version === undefined) return;
    const message = queue.shift();
    if (message === undefined) return;
    asked = version;
    host.post({ ...message, version } as PageMessage);
  };
  const flush = (): void => {
    b.own?.flush();
    b.props?.flush();
    b.drafts.flush();
  };
  const closeForms = (isDiscarded: boolean): void => {
    if (!isDiscarded) flush();
    b.drafts.clear();
    b.conditionKinds.clear();
    b.remembered.clear();
    if (b.props !== undefined) host.post({ t: 'closeForm' });
    if (b.open !== null) host.post({ t: 'look', path: null });
    Object.assign(b, { own: undefined, props: undefined, data: undefined });
  };
  const openForms = (path: Path): void => {
    const thing = valueAt(b.model?.values, path) as Values | undefined;
    if (thing === undefined) return;
    const own = mountOwn(b, host, path, thing);
    let props: MountedForm | undefined;
    if (hasProps(path, thing)) {
      const form = (forms += 1);
      props = mountProps(b, host, path, thing, form);
      host.post({ t: 'openForm', form, path });
    }
    Object.assign(b, { own, props });
    host.post({ t: 'look', path });
  };
  /** @param isElsewhere what was typed belongs to something that has another place now, and is not written */
  const unfold = (path: Path | null, isElsewhere = false): void => {
    if (isElsewhere) {
      b.own?.discard();
      b.props?.discard();
      b.drafts.clear();
    }
    closeForms(isElsewhere);
    const open = path === null ? null : JSON.stringify(path);
    Object.assign(b, { open });
    host.keep({ open });
    if (path !== null) openForms(path);
  };
  /** Unfolded parts stay unfolded wherever the text has them now, with their current fields. */
  const follow = (before: Values | null, after: Values, path: Path): void => {
    const now = followed(before, after, path);
    const was = valueAt(before, path) as Values | undefined;
    const thing = now && (valueAt(after, now) as Values | undefined);
    if (now === undefined || thing === undefined) return unfold(null, true);
    const isThere = JSON.stringify(now) === b.open;
    if (!isThere || was === undefined || shapeOf(was) !== shapeOf(thing)) return unfold(now, true);
    b.own?.sync(valuesOf(fieldsAt(b, now, thing), thing));
    b.props?.sync((thing['props'] ?? {}) as Values);
  };
  /**
   * An action for the time when the text has the requested change; it returns whether it was done, and is tried at each
   * new text.
   */
  let afterwards: (() => boolean) | undefined;
  const tryAfterwards = (): void => {
    if (afterwards?.() === true) afterwards = undefined;
  };
  const restore = (values: Values | null): void => {
    const kept = host.kept()?.open ?? null;
    const path = kept === null ? null : (JSON.parse(kept) as Path);
    if (path !== null && valueAt(values, path) !== undefined) unfold(path);
  };
  const b: Builder = {
    model: undefined,
    marks: [],
    runs: {},
    runsAbout: '',
    components: undefined,
    componentsProblem: null,
    offers: undefined,
    search: { query: '', app: null },
    emitters: [],
    notice: '',
    open: null,
    adding: undefined,
    query: '',
    own: undefined,
    props: undefined,
    data: undefined,
    picker: createDataPicker(
      {
        get data() {
          return b.data;
        },
      },
      show,
    ),
    drafts: createTextDrafts(),
    conditionKinds: new Map(),
    remembered: new Map(),
    show,
    receive(message) {
      switch (message.t) {
        case 'model': {
          const isFirst = b.model === undefined;
          const before = b.model?.values ?? null;
          Object.assign(b, { model: message.model });
          // The same text arrives again when it becomes dirty, and after a deploy.
          if (message.isUnchanged === true || message.model.version !== asked) asked = undefined;
          b.drafts.taken((at) => textOf(valueAt(message.model.values, at)));
          if (b.open !== null && message.model.values !== null)
            follow(before, message.model.values, JSON.parse(b.open) as Path);
          if (isFirst) restore(message.model.values);
          // Once it is rendered.
          setTimeout(tryAfterwards);
          next();
          break;
        }
        case 'form':
          if (message.form === forms) b.props?.receive(message.message);
          break;
        case 'data':
          if (JSON.stringify(message.path) === b.open)
            Object.assign(b, { data: { steps: message.steps, given: message.given } });
          break;
        case 'preview':
          b.own?.receive(message.message);
          break;
        case 'marks':
          Object.assign(b, { marks: message.marks });
          break;
        case 'runs':
          Object.assign(b, { runs: message.runs, runsAbout: message.about });
          break;
        case 'emitters':
          Object.assign(b, { emitters: message.emitters });
          break;
        case 'components':
          Object.assign(b, { components: message.components, componentsProblem: message.problem });
          break;
        case 'offers': {
          const { search, offers, problems } = message;
          const isAsked = search.query === b.search.query && search.app === b.search.app;
          if (isAsked) Object.assign(b, { offers: { offers, problems } });
          break;
        }
        case 'refused':
          asked = undefined;
          afterwards = undefined;
          b.drafts.clear();
          Object.assign(b, { notice: message.problem });
          break;
        case 'reveal': {
          unfold(message.path);
          focusLater(cardId(message.path));
          break;
        }
        default:
          return message satisfies never;
      }
      show();
    },
    toggle(path) {
      unfold(b.open === JSON.stringify(path) ? null : path);
      show();
    },
    startAdding(at) {
      const before = b.adding;
      Object.assign(b, { adding: at, query: '' });
      if (at !== undefined && b.components === undefined) host.post({ t: 'components' });
      if (at !== undefined) b.lookFor({ query: '', app: null });
      show();
      if (at !== undefined) focusLater('add-search');
      else if (before !== undefined) focusLater(slotId(before));
    },
    lookFor(search) {
      // Results for fewer letters stay until there are new ones: an empty list would only flicker.
      Object.assign(b, { search });
      clearTimeout(pause);
      pause = setTimeout(() => host.post({ t: 'search', search }), searchPauseMs);
    },
    add(step) {
      const at = b.adding;
      Object.assign(b, { adding: undefined });
      if (at !== undefined) b.send({ t: 'add', at, step });
      show();
    },
    addProp(name) {
      if (b.open === null) return;
      const path = JSON.parse(b.open) as Path;
      b.send({ t: 'change', changes: [{ path: [...path, 'props', name], value: '' }] });
      afterwards = () => {
        if (valueAt(b.model?.values, [...path, 'props', name]) === undefined) return false;
        unfold(path);
        show();
        focusLater('new-prop');
        return true;
      };
    },
    openNext(path) {
      afterwards = () => {
        if (valueAt(b.model?.values, path) === undefined) return false;
        unfold(path);
        show();
        focusLater(cardId(path));
        return true;
      };
    },
    focusNext(id) {
      afterwards = () => {
        const target = document.getElementById(id);
        target?.focus();
        return target !== null;
      };
    },
    send(message) {
      Object.assign(b, { notice: '' });
      const isEdit = ['change', 'insert', 'add', 'move', 'remove', 'duplicate', 'rename'].includes(
        message.t,
      );
      if (!isEdit) return host.post(message as PageMessage);
      // Typed text is sent before its place changes.
      if (message.t !== 'change') flush();
      queue.push(message);
      next();
    },
  };
  return b;
}

function focusLater(id: string): void {
  setTimeout(() => {
    const target = document.getElementById(id);
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  });
}
