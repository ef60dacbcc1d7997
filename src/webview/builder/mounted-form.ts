import type { TemplateResult } from 'lit-html';
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { createAccountEditor } from '../prop-form/account-editor.ts';
import type { Expressions } from '../prop-form/fields/field.ts';
import { createFormEditor } from '../prop-form/form-editor.ts';
import { fields, noForm } from '../prop-form/form-view.ts';
import { createMessageHandler } from '../prop-form/host-messages.ts';
import type { HostMessage, PageMessage } from '../prop-form/messages.ts';
import { createOptionPicker } from '../prop-form/option-picker.ts';
import { createPage } from '../prop-form/page.ts';

import type { Values } from './messages.ts';
import { throttle, typingPaceMs } from './throttle.ts';

export interface MountedForm {
  view(): TemplateResult;
  receive(message: HostMessage): void;
  /** The values that the file has now; what was typed and is not in it yet stays. */
  sync(values: Values): void;
  /** Writes typed text into the file at once. */
  flush(): void;
  /** Forgets typed text that is not in the file yet. */
  discard(): void;
  set(prop: ConfigurableProp, value: unknown): void;
}

export interface MountOptions {
  readonly prefix: string;
  readonly values: Values;
  /** Props of a form that makes no calls. */
  readonly props?: readonly ConfigurableProp[];
  readonly expressions?: ((form: MountedForm) => Expressions) | undefined;
  readonly show: () => void;
  readonly post: (message: PageMessage) => void;
  /** The changes; undefined removes a value. */
  readonly changed: (changes: readonly (readonly [name: string, value: unknown])[]) => void;
}

/** The prop form without a button: what is typed in it is a change of the file. */
export function mountForm(options: MountOptions): MountedForm {
  const { prefix, props, show, post, changed } = options;
  const delay = throttle(typingPaceMs);
  let file = options.values;
  let mayFocus = true;

  const page = createPage(
    () => {
      if (dirty().length > 0) delay.request(flush);
      show();
    },
    post,
    { prefix, root: () => document.getElementById(`${prefix}form`) ?? document },
  );
  const scoped = {
    ...page,
    get state() {
      return page.state;
    },
    focus: (selector: string) => {
      if (mayFocus) page.focus(selector);
    },
  };
  const editor = createFormEditor(scoped);
  const picker = createOptionPicker(scoped, editor);
  const accounts = createAccountEditor(scoped);
  const handle = createMessageHandler(scoped, editor, undefined);

  const dirty = (): ConfigurableProp[] =>
    page.state.props.filter(({ name }) => !same(page.state.values[name], file[name]));
  const flush = (): void => {
    delay.cancel();
    const changes = dirty()
      .filter(({ name }) => !isSecretMark(page.state.values[name]))
      .map((prop) => {
        // Without the key the default would come back.
        const removed = prop.default === undefined ? undefined : null;
        return [prop.name, page.state.values[prop.name] ?? removed] as const;
      });
    if (changes.length > 0) changed(changes);
  };
  const form: MountedForm = {
    view: () =>
      page.state.form === null ? noForm(page.state, () => post({ t: 'retry' })) : fields(context()),
    receive(message) {
      mayFocus = message.t !== 'form';
      handle(message);
      mayFocus = true;
    },
    sync(values) {
      const kept = new Set(dirty().map(({ name }) => name));
      page.update((state) => {
        const next: Record<string, unknown> = { ...state.values };
        for (const name of new Set([...Object.keys(file), ...Object.keys(values)])) {
          if (!kept.has(name) && !same(next[name], values[name])) next[name] = values[name];
        }
        return same(next, state.values) ? state : { ...state, values: next };
      });
      file = values;
    },
    flush,
    discard: () => delay.cancel(),
    set: (prop, value) => editor.choose(prop, value),
  };
  const expressions = options.expressions?.(form);
  const context = () => ({
    state: page.state,
    editor,
    picker,
    accounts,
    post,
    ...(expressions !== undefined && { expressions }),
  });
  if (props !== undefined) {
    const shown = { heading: '', about: '', verb: '', description: null, secrets: [] };
    form.receive({
      t: 'form',
      subject: null,
      form: { ...shown, props, values: file, dynamic: false, problems: {}, expressions: true },
    });
  }
  return form;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function isSecretMark(value: unknown): boolean {
  return JSON.stringify(value ?? null) === '{"secret":true}';
}
