/** The form for a new account, inside the form. */
import { type ConfigurableProp, needsNoAccount } from '../../protocol/definition.ts';
import type { Page } from './page.ts';

export interface AccountEditor {
  start(prop: ConfigurableProp): void;
  /** In the browser. @param account one that is there, to be connected again */
  connect(prop: ConfigurableProp, account: string | null): void;
  addRow(): void;
  /** Other keys than those that are asked for. */
  nameKeys(prop: ConfigurableProp): void;
  cancel(prop: ConfigurableProp): void;
  /** Reads the account from its fields: what is typed there is never in the state. */
  save(prop: ConfigurableProp, fields: HTMLElement): void;
}

export function createAccountEditor(page: Page): AccountEditor {
  const within = (prop: ConfigurableProp, selector: string): string =>
    `[data-prop="${CSS.escape(prop.name)}"] ${selector}`;
  const reportProblem = (problem: string): void => {
    page.update((state) =>
      state.accountDraft === null
        ? state
        : { ...state, accountDraft: { ...state.accountDraft, problem }, announced: problem },
    );
  };
  return {
    start(prop) {
      const accountDraft = { prop: prop.name, busy: false, problem: null, rows: 1, isFree: false };
      page.update((state) => ({ ...state, accountDraft, connecting: null }));
      page.focus(within(prop, '.account-row input'));
    },
    connect(prop, account) {
      page.update((state) => ({
        ...state,
        accountDraft: null,
        connecting: { prop: prop.name, problem: null },
        announced: 'Connecting in the browser.',
      }));
      page.post({ t: 'connect', app: prop.app ?? prop.name, account });
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
    nameKeys(prop) {
      page.update((state) =>
        state.accountDraft === null
          ? state
          : { ...state, accountDraft: { ...state.accountDraft, isFree: true, problem: null } },
      );
      page.focus(within(prop, '.account-key'));
    },
    cancel(prop) {
      page.update((state) => ({ ...state, accountDraft: null }));
      page.focus(within(prop, 'select'));
    },
    save(prop, fields) {
      const name = fields.querySelector<HTMLInputElement>('.account-name')?.value.trim() ?? '';
      const credentials: Record<string, string> = {};
      for (const row of fields.querySelectorAll('.account-row')) {
        const input = row.querySelector<HTMLInputElement>('.account-value');
        const value = input?.value ?? '';
        const { key: known, optional, label } = input?.dataset ?? {};
        if (known !== undefined) {
          if (value !== '') credentials[known] = value;
          else if (optional === undefined) return reportProblem(`${label ?? known} has no value.`);
          continue;
        }
        const key = row.querySelector<HTMLInputElement>('.account-key')?.value.trim() ?? '';
        if (key === '' && value === '') continue;
        if (key === '') return reportProblem('Every value needs a key.');
        if (value === '') return reportProblem(`${key} has no value.`);
        credentials[key] = value;
      }
      if (Object.keys(credentials).length === 0 && !needsNoAccount(prop))
        return reportProblem('At least one key and its value are required.');
      page.update((state) =>
        state.accountDraft === null
          ? state
          : { ...state, accountDraft: { ...state.accountDraft, busy: true, problem: null } },
      );
      const app = prop.app ?? prop.name;
      const shared = fields.querySelector<HTMLInputElement>('.account-shared');
      page.post({
        t: 'account',
        app,
        name: name === '' ? app : name,
        credentials,
        ...(shared !== null && { isShared: shared.checked }),
      });
    },
  };
}
