import inspector from 'node:inspector';
import type { Watchdog } from './watchdog.ts';

/** This process's own inspector, on a free port of the loopback address. */
export class Inspection {
  readonly #watchdog: Watchdog;
  #isOpen = false;

  constructor(watchdog: Watchdog) {
    this.#watchdog = watchdog;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves with the URL a debugger attaches to. */
  async open(): Promise<string> {
    await this.#watchdog.moveOut();
    if (inspector.url() === undefined) inspector.open(0, '127.0.0.1', false);
    this.#isOpen = true;
    return inspector.url() ?? '';
  }

  /**
   * Blocks this thread until a debugger is attached and has set its breakpoints. Whoever started the
   * wait ends the process when nobody comes.
   */
  wait(): void {
    inspector.waitForDebugger();
  }

  /** Debuggers that are attached are sent away; code that stands still goes on. */
  close(): void {
    this.#isOpen = false;
    inspector.close();
  }

  /** Shows in the debugger's console what a method of `console` was given. */
  print(method: string, args: readonly unknown[]): void {
    if (!this.#isOpen) return;
    const show = (inspector.console as unknown as Record<string, unknown>)[method];
    if (typeof show === 'function') Reflect.apply(show, inspector.console, args);
  }
}
