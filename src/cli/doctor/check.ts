/** One check of `weir doctor`. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'bad';
  /** What was found, one sentence. */
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

export function ok(name: string, found: string): Check {
  return { name, state: 'ok', found };
}

export function warning(name: string, found: string, advice: string): Check {
  return { name, state: 'warning', found, advice };
}

export function bad(name: string, found: string, advice: string): Check {
  return { name, state: 'bad', found, advice };
}

/** Whether a file or folder could not be read because it does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
