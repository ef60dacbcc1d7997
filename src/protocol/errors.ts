/**
 * The errors that cross a process boundary. A code decides the HTTP status and the exit code; the
 * message is one sentence for a person that names the file or value and says what to do.
 * P16.9 and P16.10; the platform's own shape is undocumented.
 */

/** Every code with the HTTP status it has over REST. */
export const errorStatus = {
  bad_input: 400,
  bad_component: 400,
  unauthorized: 401,
  foreign_host: 403,
  /** The key does not allow it. */
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  /** Packages have to be installed from npm first: repeat with `install: true` after a yes. */
  packages_needed: 409,
  /** Foreign code: repeat after registries.trust with the token of the detail. */
  trust_needed: 409,
  /** The fetched bytes differ from those of weir.lock.json. */
  integrity_mismatch: 409,
  data_folder_in_use: 409,
  too_large: 413,
  component_failed: 422,
  /** Too many requests; the first detail has `retry_after`, in seconds. */
  rate_limited: 429,
  cancelled: 499,
  internal: 500,
  /** A registry could not be asked, or did not answer as one. */
  registry_failed: 502,
  store_failed: 503,
  runtime_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The error on the wire (`{"error": message, "code": code, "details": […]}` over REST). */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  /** One entry per prop, file position or observation; plain data. */
  readonly details?: readonly ErrorDetail[] | undefined;
}

export interface ErrorDetail {
  readonly message: string;
  readonly prop?: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 0-based, as esbuild and editors count. */
  readonly column?: number;
  readonly [key: string]: unknown;
}

/** An error a user can act on. Anything else that is thrown is ours (`internal`) and hides its stack. */
export class WeirError extends Error {
  override readonly name = 'WeirError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;

  constructor(code: ErrorCode, message: string, details?: readonly ErrorDetail[], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }

  /** By brand, not by class: two bundles hold two copies of this class. */
  static is(error: unknown, code?: ErrorCode): error is WeirError {
    return (
      error instanceof Error &&
      error.name === 'WeirError' &&
      (code === undefined || (error as WeirError).code === code)
    );
  }

  get status(): number {
    return errorStatus[this.code];
  }

  toJSON(): ErrorData {
    return {
      code: this.code,
      message: this.message,
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
