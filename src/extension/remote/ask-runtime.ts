/** The dialog that asks for the address and the key of a runtime on another machine. */
import * as vscode from 'vscode';
import { messageOf } from '../../protocol/errors.ts';
import { urlProblem } from './runtimes.ts';

export interface GivenRuntime {
  /** Origin, without a path. */
  readonly url: string;
  readonly key: string;
}

const title = 'Connect to Runtime';

/**
 * Asks for the address and the key. Both stay in the dialog, with the reason, while they do not lead to a runtime.
 * @param tryOut rejects with the reason when no connection comes of them
 * @returns undefined when the user cancelled
 */
export async function askRuntime(
  tryOut: (given: GivenRuntime) => Promise<unknown>,
): Promise<GivenRuntime | undefined> {
  let address = '';
  let key = '';
  for (;;) {
    const typed = await ask({
      step: 1,
      prompt: 'Address of the server, as you gave it to `weir serve --public-url`',
      placeholder: 'https://weir.example.com',
      value: address,
      problem: urlProblem,
    });
    if (typed === undefined) return undefined;
    address = typed.text;
    const url = new URL(address).origin;
    const given = await ask({
      step: 2,
      prompt: `A key of ${url}: \`weir keys add <name> --scope deploy\` makes one there`,
      placeholder: 'weir_…',
      value: key,
      password: true,
      accept: (text) => tryOut({ url, key: text }),
    });
    if (given === undefined) return undefined;
    key = given.text;
    if (!given.back) return { url, key };
  }
}

interface Question {
  /** 1 or 2. */
  readonly step: number;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  readonly password?: boolean;
  /** What is wrong with a text, while the user types it. */
  readonly problem?: (text: string) => string | undefined;
  /** Rejects with the reason why the text is not taken. */
  readonly accept?: (text: string) => Promise<unknown>;
}

/** @returns undefined when the user cancelled; `back` asks for the step before */
function ask(
  question: Question,
): Promise<{ readonly text: string; readonly back: boolean } | undefined> {
  const { step, prompt, placeholder, value, password = false, problem, accept } = question;
  const box = vscode.window.createInputBox();
  Object.assign(box, { title, prompt, placeholder, value, password, step, totalSteps: 2 });
  box.ignoreFocusOut = true;
  if (step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  const textOf = (): string => box.value.trim();
  return new Promise((resolve) => {
    const end = (back: boolean): void => {
      resolve({ text: textOf(), back });
      box.hide();
    };
    box.onDidChangeValue((text) => {
      box.validationMessage = text.trim() === '' ? '' : (problem?.(text) ?? '');
    });
    box.onDidTriggerButton(() => end(true));
    box.onDidAccept(async () => {
      const text = textOf();
      if (text === '' || box.busy || problem?.(text) !== undefined) return;
      box.busy = true;
      box.enabled = false;
      try {
        await accept?.(text);
        end(false);
      } catch (error) {
        box.validationMessage = messageOf(error);
      } finally {
        box.busy = false;
        box.enabled = true;
      }
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
