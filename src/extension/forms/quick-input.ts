import * as vscode from 'vscode';

/** How one step ended: with a value, by the back button, or by leaving (undefined). */
export type StepEnd<T> = { readonly value: T } | 'back' | undefined;

export interface StepFrame {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

export interface TextStep extends StepFrame {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /** One sentence about what is wrong, undefined when nothing is. */
  readonly problem: (text: string) => string | undefined;
}

/** Asks for a text. What is wrong is shown once something was typed, or on Enter. */
export function askText(step: TextStep): Promise<StepEnd<string>> {
  const box = vscode.window.createInputBox();
  dress(box, step);
  box.prompt = step.prompt;
  box.placeholder = step.placeholder ?? '';
  box.value = step.value ?? '';
  box.password = step.password ?? false;
  return settle(box, (end) => [
    box.onDidChangeValue((text) => {
      box.validationMessage = text === '' ? undefined : step.problem(text);
    }),
    box.onDidAccept(() => {
      box.validationMessage = step.problem(box.value);
      if (box.validationMessage === undefined) end({ value: box.value });
    }),
  ]);
}

function dress(input: vscode.InputBox, frame: StepFrame): void {
  input.title = frame.title;
  // A form of one question is no form.
  if (frame.totalSteps > 1) {
    input.step = frame.step;
    input.totalSteps = frame.totalSteps;
  }
  // A value often has to be fetched from another window.
  input.ignoreFocusOut = true;
}

function settle<T>(
  input: vscode.InputBox,
  listen: (end: (how: StepEnd<T>) => void) => vscode.Disposable[],
): Promise<StepEnd<T>> {
  return new Promise((resolve) => {
    const end = (how: StepEnd<T>): void => {
      resolve(how);
      vscode.Disposable.from(input, ...listening).dispose();
    };
    const listening = [
      ...listen(end),
      input.onDidHide(() => end(undefined)),
      input.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) end('back');
      }),
    ];
    if ((input.step ?? 1) > 1) input.buttons = [vscode.QuickInputButtons.Back];
    input.show();
  });
}
