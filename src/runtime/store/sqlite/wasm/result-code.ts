/** SQLite's primary result codes that the store tells apart. */
export const resultCode = {
  ok: 0,
  error: 1,
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  mismatch: 20,
  misuse: 21,
  range: 25,
  notADatabase: 26,
  row: 100,
  done: 101,
} as const;

/** SQLite refused a statement. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code & 0xff;
  }
}
