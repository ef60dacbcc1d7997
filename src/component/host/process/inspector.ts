import nodeInspector from 'node:inspector';
import type { DebuggerConsole } from '../output/console.ts';

/** This process's own inspector, on a free port of the loopback address. */
export class Inspector implements DebuggerConsole {
  #isOpen = false;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns the URL a debugger attaches to. */
  open(): string {
    if (nodeInspector.url() === undefined) nodeInspector.open(0, '127.0.0.1', false);
    this.#isOpen = true;
    return nodeInspector.url() ?? '';
  }

  /**
   * Blocks this thread until a debugger is attached and has set its breakpoints. When none comes, the
   * runtime ends the process.
   */
  waitForDebugger(): void {
    nodeInspector.waitForDebugger();
  }

  /** Detaches every debugger; paused code continues. */
  close(): void {
    this.#isOpen = false;
    nodeInspector.close();
  }

  /** Passes a call of a method of `console` on to the debugger's console. */
  print(method: string, args: readonly unknown[]): void {
    if (!this.#isOpen) return;
    const print = (nodeInspector.console as unknown as Record<string, unknown>)[method];
    if (typeof print === 'function') Reflect.apply(print, nodeInspector.console, args);
  }
}
