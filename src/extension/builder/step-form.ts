import { messageOf } from '../../protocol/errors.ts';
import type { HostMessage, PageMessage, Path, Values } from '../../webview/builder/messages.ts';
import { valueAt } from '../../workflow-file/steps-in.ts';
import { connectApp, enterSecret } from '../forms/connect-app.ts';
import { FormSession } from '../forms/session.ts';
import { isRecord } from '../../protocol/record.ts';
import type { BuilderParts } from './builder-parts.ts';
import { changed, nameAt, valuesOf } from './edits.ts';
import { stepTask } from './step-task.ts';
import type { TextEdits } from './text-edits.ts';

/** The form of the step that is unfolded: the props of its component. */
export class StepForm {
  readonly #parts: BuilderParts;
  readonly #edits: TextEdits;
  #form:
    | { readonly number: number; readonly path: Path; readonly session: FormSession }
    | undefined;

  constructor(parts: BuilderParts, edits: TextEdits) {
    this.#parts = parts;
    this.#edits = edits;
  }

  /** Opens the form instead of the previous one. @param number what its messages carry */
  async open(number: number, at: Path): Promise<void> {
    this.close();
    const step = valueAt(valuesOf(this.#parts.document.getText()), at);
    if (!isRecord(step)) return;
    const post = (message: Extract<HostMessage, { t: 'form' }>['message']): void =>
      this.#parts.post({ t: 'form', form: number, message });
    try {
      const task = await stepTask(this.#parts.context, this.#parts.folder, this.#parts.file, step);
      if (!this.#parts.isOpen()) return;
      const session = new FormSession({
        task,
        post,
        connect: connectApp,
        enterSecret,
        sharing: this.#parts.context.sharing,
        clock: this.#parts.context.clock,
        copy: (text) => void this.#parts.copy(text),
        close: () => undefined,
        log: (line) => this.#parts.context.output.info(line),
      });
      this.#form = { number, path: at, session };
      session.receive({ t: 'ready' });
    } catch (error) {
      post({ t: 'unavailable', problem: messageOf(error) });
    }
  }

  close(): void {
    this.#form?.session.dispose();
    this.#form = undefined;
  }

  /** Handles a message of the page's form. */
  receive({ form, message }: Extract<PageMessage, { t: 'form' }>): void {
    const open = this.#form;
    if (open === undefined || open.number !== form) return;
    // The value of an expression is not known yet.
    const values = 'values' in message ? withoutExpressions(message.values) : undefined;
    if (message.t === 'secret')
      return this.#edits.inTurn(() => this.#keepSecret(open.path, message));
    open.session.receive(
      values === undefined ? message : ({ ...message, values } as typeof message),
    );
  }

  /** A secret goes into the environment, sealed, and its name into the file. */
  async #keepSecret(
    at: Path,
    { prop, value }: { readonly prop: string; readonly value: string },
  ): Promise<void> {
    const name = `${nameAt(this.#parts.document.getText(), at)}_${prop}`
      .replaceAll(/\W+/g, '_')
      .toUpperCase();
    const client = await this.#parts.folder.link.ready();
    await client.call('environment.set', { name, value });
    await this.#edits.write(undefined, (text) =>
      changed(text, [{ path: [...at, 'props', prop], value: `{{process.env.${name}}}` }]),
    );
  }
}

function withoutExpressions(values: Values): Values {
  const isExpression = (value: unknown): boolean => JSON.stringify(value ?? null).includes('{{');
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isExpression(value)));
}
