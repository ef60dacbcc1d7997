import inspector from 'node:inspector';

/** Opens this process's own inspector on a free port, or closes it; the URL a debugger attaches to. */
export function inspect(on: boolean): string | null {
  if (!on) {
    inspector.close();
    return null;
  }
  if (inspector.url() === undefined) inspector.open(0, '127.0.0.1', false);
  return inspector.url() ?? null;
}

export function isInspected(): boolean {
  return inspector.url() !== undefined;
}

/**
 * Blocks this thread until a debugger is attached and has set its breakpoints. Whoever started the
 * wait ends the process when nobody comes.
 */
export function waitForDebugger(): void {
  inspector.waitForDebugger();
}
