/** The list below a field with options: opening it, searching, moving, picking. */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import { debounce } from '../shared/debounce.ts';
import { choicesOf, isExactly, listKey, queryOf, waitsFor, type Choice } from './choices.ts';
import type { FormEditor } from './form-editor.ts';
import { idOf, type Page } from './page.ts';
import { submitted, type OptionList } from './state.ts';
import { configuredPick, isList, pickedOf, valueOf } from './values.ts';

export interface OptionPicker {
  open(prop: ConfigurableProp): void;
  type(prop: ConfigurableProp, text: string): void;
  key(prop: ConfigurableProp, event: KeyboardEvent): void;
  pick(prop: ConfigurableProp, choice: Choice): void;
  remove(prop: ConfigurableProp, at: number): void;
  /** The field has lost the focus: what was typed counts as chosen. */
  leave(prop: ConfigurableProp): void;
}

/** How long nothing has to be typed before a query is sent, in ms. */
const queryDelayMs = 250;

export function createOptionPicker(page: Page, editor: FormEditor): OptionPicker {
  const queryDelay = debounce(queryDelayMs);

  const popupOf = (prop: ConfigurableProp) =>
    page.state.popup?.prop === prop.name ? page.state.popup : null;
  const close = (): void => page.update((state) => ({ ...state, popup: null }));
  const move = (prop: ConfigurableProp, active: number): void => {
    page.reveal(`#${idOf(page.state, prop)}-choice-${active}`);
    page.update((state) =>
      state.popup === null ? state : { ...state, popup: { ...state.popup, active } },
    );
  };

  /** Asks for the first page again when other values or the query have changed since it was loaded. */
  const refresh = (prop: ConfigurableProp, anyway = false): void => {
    const popup = popupOf(prop);
    if (popup === null || prop.remoteOptions !== true) return;
    const query = queryOf(prop, popup);
    const key = listKey(prop, page.state.values, query);
    const list = own(page.state.lists, prop.name);
    if (list?.key === key && list.problem === null) return;
    if (!anyway && waitsFor(page.state, prop) !== undefined) {
      page.update((state) => {
        const { [prop.name]: _, ...lists } = state.lists;
        return { ...state, lists };
      });
      return;
    }
    ask(prop, { options: [], more: false, problem: null, request: page.nextRequest(), key }, query);
  };

  const ask = (prop: ConfigurableProp, list: OptionList, query: string, next = false): void => {
    page.update((state) => ({ ...state, lists: { ...state.lists, [prop.name]: list } }));
    const values = submitted(page.state);
    const request = list.request ?? 0;
    page.post({ t: 'options', request, prop: prop.name, query, next, values });
  };

  const picker: OptionPicker = {
    open(prop) {
      if (popupOf(prop) !== null) return;
      const [picked] = isList(prop) ? [] : pickedOf(valueOf(prop, page.state.values));
      page.update((state) => ({
        ...state,
        popup: { prop: prop.name, text: picked?.label ?? '', typed: false, active: -1 },
      }));
      refresh(prop);
    },
    type(prop, text) {
      page.update((state) => ({
        ...state,
        popup: { prop: prop.name, text, typed: true, active: -1 },
      }));
      if (prop.useQuery !== true) return refresh(prop);
      queryDelay.request(() => refresh(prop));
    },
    key(prop, event) {
      const popup = popupOf(prop);
      if (event.key === 'Escape' && popup !== null) {
        event.preventDefault();
        return close();
      }
      if (event.key === 'Backspace' && (popup?.text ?? '') === '' && isList(prop)) {
        return picker.remove(prop, pickedOf(valueOf(prop, page.state.values)).length - 1);
      }
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        if (popup === null) return picker.open(prop);
        const count = choicesOf(page.state, prop, popup).length;
        if (count === 0) return;
        const step = event.key === 'ArrowDown' ? 1 : -1;
        const from = popup.active === -1 && step === -1 ? 0 : popup.active;
        return move(prop, (from + step + count) % count);
      }
      if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || popup === null) return;
      event.preventDefault();
      const choices = choicesOf(page.state, prop, popup);
      const choice =
        choices[popup.active] ?? (popup.typed ? firstFor(popup.text, choices) : undefined);
      if (choice === undefined) close();
      else picker.pick(prop, choice);
    },
    pick(prop, choice) {
      const list = own(page.state.lists, prop.name);
      if (choice.kind === 'anyway' || choice.kind === 'retry') return refresh(prop, true);
      if (choice.kind === 'more') {
        const popup = popupOf(prop);
        if (list === undefined || popup === null) return;
        const request = page.nextRequest();
        return ask(prop, { ...list, request, problem: null }, queryOf(prop, popup), true);
      }
      const many = isList(prop);
      const before = pickedOf(valueOf(prop, page.state.values));
      const key = JSON.stringify(choice.option.value);
      const others = before.filter(({ value }) => JSON.stringify(value) !== key);
      const isTaken = many && others.length < before.length;
      const picked = many ? [...others, ...(isTaken ? [] : [choice.option])] : [choice.option];
      if (many) {
        page.update((state) =>
          state.popup === null
            ? state
            : { ...state, popup: { ...state.popup, text: '', typed: false } },
        );
      } else close();
      editor.choose(prop, configuredPick(picked, many));
      page.focus(`#${idOf(page.state, prop)}`);
    },
    remove(prop, at) {
      const picked = pickedOf(valueOf(prop, page.state.values));
      if (picked[at] === undefined) return;
      editor.choose(prop, configuredPick(picked.toSpliced(at, 1), true));
      page.focus(`#${idOf(page.state, prop)}`);
    },
    leave(prop) {
      queryDelay.cancel();
      const popup = popupOf(prop);
      close();
      if (popup?.typed === true) takeTyped(prop, popup.text);
      else editor.commit(prop);
    },
  };
  return picker;

  function takeTyped(prop: ConfigurableProp, text: string): void {
    const many = isList(prop);
    if (text.trim() === '') {
      if (many) editor.commit(prop);
      else editor.choose(prop, undefined);
      return;
    }
    const choices = choicesOf(page.state, prop, { prop: prop.name, text, typed: true, active: -1 });
    const choice = choices.find((one) => one.kind === 'typed' || isTypedInFull(one, text));
    if (choice === undefined || !('option' in choice)) return editor.commit(prop);
    const before = many ? pickedOf(valueOf(prop, page.state.values)) : [];
    editor.choose(prop, configuredPick([...before, choice.option], many));
  }
}

/** What Enter picks: the option that was typed in full, else the only one left, else the text itself. */
function firstFor(text: string, choices: readonly Choice[]): Choice | undefined {
  const exact = choices.find((one) => isTypedInFull(one, text));
  if (exact !== undefined) return exact;
  const options = choices.filter(({ kind }) => kind === 'option');
  return options.length === 1 ? options[0] : choices.find(({ kind }) => kind === 'typed');
}

function isTypedInFull(choice: Choice, text: string): boolean {
  return choice.kind === 'option' && isExactly(choice.option, text.trim());
}
