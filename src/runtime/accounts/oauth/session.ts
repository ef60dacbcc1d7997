/** A connection in progress, and its state. */
import type { Plan } from './plan.ts';
import type { Tokens } from './server.ts';

export interface Connection {
  readonly session: string;
  readonly app: string;
  readonly status: 'waiting' | 'connected' | 'failed' | 'cancelled';
  readonly authorizationUrl: string | null;
  readonly redirectUri: string | null;
  readonly userCode: string | null;
  readonly verificationUri: string | null;
  readonly account: string | null;
  readonly error: string | null;
}

/**
 * Makes an account from the result of `getTokens`; never rejects.
 * @param getTokens may reject with `GrantFailed`
 * @param callback parameters of the browser's return that the definition keeps
 */
export type Finish = (
  getTokens: () => Promise<Tokens>,
  callback: Readonly<Record<string, string>>,
) => Promise<void>;

export class Session<P extends Plan = Plan> {
  readonly ended: Promise<void>;
  readonly plan: P;
  connection: Connection;
  /** Takes the parameters of a callback; false when they are not the answer to this. */
  came: ((parameters: URLSearchParams) => boolean) | undefined;
  close: () => void = () => undefined;
  #end: () => void = () => undefined;

  constructor(id: string, plan: P) {
    this.plan = plan;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.connection = {
      session: id,
      app: plan.definition.app,
      status: 'waiting',
      authorizationUrl: null,
      redirectUri: null,
      userCode: null,
      verificationUri: null,
      account: null,
      error: null,
    };
  }

  get isOpen(): boolean {
    return this.connection.status === 'waiting';
  }

  /** A person can continue from here. */
  shows(part: Partial<Connection>): void {
    this.connection = { ...this.connection, ...part };
  }

  /** The first end counts. */
  end(end: Pick<Connection, 'status' | 'account' | 'error'>): void {
    if (!this.isOpen) return;
    this.connection = { ...this.connection, ...end };
    this.close();
    this.#end();
  }

  fail(error: string): void {
    this.end({ status: 'failed', account: null, error });
  }
}
