/** Adding an account while the form is open. */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import type { Page } from './page.ts';

export interface AddingAccounts {
  start(prop: ConfigurableProp): void;
  addRow(): void;
  cancel(prop: ConfigurableProp): void;
  /** Reads the fields where they stand: what is typed there is in no state. */
  save(prop: ConfigurableProp, fields: HTMLElement): void;
}

export function createAddingAccounts(page: Page): AddingAccounts {
  const within = (prop: ConfigurableProp, selector: string): string =>
    `[data-prop="${CSS.escape(prop.name)}"] ${selector}`;
  const complain = (problem: string): void => {
    page.update((state) =>
      state.accountDraft === null
        ? state
        : { ...state, accountDraft: { ...state.accountDraft, problem }, announced: problem },
    );
  };
  return {
    start(prop) {
      const accountDraft = { prop: prop.name, busy: false, problem: null, rows: 1 };
      page.update((state) => ({ ...state, accountDraft }));
      page.focus(within(prop, '.account-key'));
    },
    addRow() {
      page.update((state) =>
        state.accountDraft === null
          ? state
          : {
              ...state,
              accountDraft: { ...state.accountDraft, rows: state.accountDraft.rows + 1 },
            },
      );
      page.focus('.account-row:last-of-type .account-key');
    },
    cancel(prop) {
      page.update((state) => ({ ...state, accountDraft: null }));
      page.focus(within(prop, 'select'));
    },
    save(prop, fields) {
      const name = fields.querySelector<HTMLInputElement>('.account-name')?.value.trim() ?? '';
      const credentials: Record<string, string> = {};
      for (const row of fields.querySelectorAll('.account-row')) {
        const key = row.querySelector<HTMLInputElement>('.account-key')?.value.trim() ?? '';
        const value = row.querySelector<HTMLInputElement>('.account-value')?.value ?? '';
        if (key === '' && value === '') continue;
        if (key === '') return complain('A value stands beside no key.');
        if (value === '') return complain(`${key} has no value.`);
        credentials[key] = value;
      }
      if (Object.keys(credentials).length === 0)
        return complain('One key and its value are required.');
      page.update((state) =>
        state.accountDraft === null
          ? state
          : { ...state, accountDraft: { ...state.accountDraft, busy: true, problem: null } },
      );
      const app = prop.app ?? prop.name;
      page.post({ t: 'account', app, name: name === '' ? app : name, credentials });
    },
  };
}
