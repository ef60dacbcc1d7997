/** One request of a delivery and what came back; `at` in epoch ms, bodies as text. */
export interface AttemptRecord {
  readonly at: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  readonly totalMs: number;
  /** Absent in attempts that older versions kept. */
  readonly phases?: AttemptPhases;
  /** By a person, beside the schedule. */
  readonly manual?: boolean;
  readonly error: { readonly class: string; readonly message: string } | null;
}

/** Milliseconds of each step; null for one that was not needed (an open connection) or not reached. */
export interface AttemptPhases {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  /** From the request's last byte to the answer's first. */
  readonly firstByte: number | null;
}
