/**
 * Questions that come before a new account is made, with a button that says whether it is for the folder alone or shared by
 * all folders of the user: no question more.
 */
import * as vscode from 'vscode';
import type { AccountSharing } from '../account-sharing.ts';

export interface Shared<T> {
  readonly answer: T;
  readonly isShared: boolean;
}

/** @returns undefined when the user cancelled */
export function pickShared<T extends vscode.QuickPickItem>(
  title: string,
  items: readonly T[],
  sharing: AccountSharing,
): Promise<Shared<T> | undefined> {
  const picker = vscode.window.createQuickPick<T>();
  picker.title = title;
  picker.items = items;
  return ask(picker, sharing, {
    say: (text) => (picker.prompt = text),
    answer: () => picker.selectedItems[0],
  });
}

/** A value often has to be fetched from another window, so the box stays when it loses the focus. */
export function askShared(
  question: { readonly title: string; readonly prompt: string; readonly value: string },
  problemOf: (text: string) => string | undefined,
  sharing: AccountSharing,
): Promise<Shared<string> | undefined> {
  const box = vscode.window.createInputBox();
  box.title = question.title;
  box.value = question.value;
  box.ignoreFocusOut = true;
  box.onDidChangeValue((text) => (box.validationMessage = problemOf(text)));
  return ask(box, sharing, {
    say: (text) => (box.prompt = `${question.prompt}. ${text}`),
    answer: () => {
      box.validationMessage = problemOf(box.value);
      return box.validationMessage === undefined ? box.value : undefined;
    },
  });
}

interface Asking<T> {
  readonly say: (whose: string) => void;
  /** Undefined while what is there is no answer. */
  readonly answer: () => T | undefined;
}

function ask<T>(
  input: vscode.QuickInput &
    Pick<vscode.InputBox, 'buttons' | 'onDidTriggerButton' | 'onDidAccept'>,
  sharing: AccountSharing,
  { say, answer }: Asking<T>,
): Promise<Shared<T> | undefined> {
  let isShared = sharing.last;
  const show = (): void => {
    say(isShared ? wordsOfShared : wordsOfOwn);
    input.buttons = [
      {
        iconPath: new vscode.ThemeIcon('folder-library'),
        tooltip: 'Share with All Your Folders',
        location: vscode.QuickInputButtonLocation.Input,
        toggle: { checked: isShared },
      },
    ];
  };
  show();
  return new Promise((resolve) => {
    input.onDidTriggerButton(() => {
      isShared = !isShared;
      show();
    });
    input.onDidAccept(() => {
      const given = answer();
      if (given === undefined) return;
      sharing.chosen(isShared);
      resolve({ answer: given, isShared });
      input.hide();
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}

const wordsOfOwn =
  'Available in this folder only. The button on the right shares it with all your folders.';
const wordsOfShared = 'Shared with all your folders. The button on the right keeps it to this one.';
