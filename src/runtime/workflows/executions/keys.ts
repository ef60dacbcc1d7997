/**
 * Names of an execution that others may hold: none is stored, all are made from the workflow's secret. So a step
 * that runs again after a crash hands out the same URLs (P25.41), and nothing is written before it runs.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

export class ExecutionKeys {
  /** As a key, which Node would make of bytes for each use: that took longer than the rest. */
  readonly #secret: KeyObject;

  /** @param secret of the data folder */
  constructor(secret: Uint8Array) {
    this.#secret = createSecretKey(secret);
  }

  /** The same for all legs. 27 characters, as on the platform. */
  traceId(n: number): string {
    return this.#mac(`trace ${n}`).slice(0, 27);
  }

  /** `$.context.id`: of one stretch between pauses (P25.46). */
  legId(n: number, leg: number): string {
    return this.#mac(`leg ${n} ${leg}`).slice(0, 27);
  }

  /** Token of the URLs that resume or cancel one run of a step: anybody who has it may do so. */
  resumeToken({ execution, path, run }: PausedRun): string {
    const what = `${execution}.${run}.${Buffer.from(path).toString('base64url')}`;
    return `${what}.${this.#mac(`resume ${what}`).slice(0, 32)}`;
  }

  /** Undefined for a token that was not made here. */
  readResumeToken(token: string): PausedRun | undefined {
    const [execution, run, path, mac] = token.split('.');
    if (execution === undefined || run === undefined || path === undefined || mac === undefined)
      return undefined;
    const expected = this.#mac(`resume ${execution}.${run}.${path}`).slice(0, 32);
    if (mac.length !== expected.length) return undefined;
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return undefined;
    return {
      execution: Number(execution),
      run: Number(run),
      path: Buffer.from(path, 'base64url').toString(),
    };
  }

  /** Address of its stream (P25.55): anybody who has it may read the stream. */
  streamAddress(workflowId: string): string {
    return `${streamPrefix}${workflowId}_${this.#mac(`stream ${workflowId}`).slice(0, streamMac)}`;
  }

  /** The workflow at an address; undefined for one that was not made here. */
  workflowAt(address: string): string | undefined {
    const id = address.slice(streamPrefix.length, -streamMac - 1);
    const expected = this.streamAddress(id);
    if (address.length !== expected.length) return undefined;
    return timingSafeEqual(Buffer.from(address), Buffer.from(expected)) ? id : undefined;
  }

  #mac(text: string): string {
    return createHmac('sha256', this.#secret)
      .update(text)
      .digest('base64url')
      .replaceAll(/[-_]/g, 'x');
  }
}

/** Prefix of addresses of streams, below `/h/`. */
export const streamPrefix = 'sse_';
const streamMac = 22;

/** The step run that a resume URL identifies. */
export interface PausedRun {
  readonly execution: number;
  readonly path: string;
  readonly run: number;
}

/** In place of a run of a step: the execution as a whole, which somebody cancels. */
export const wholeExecution = { path: '', run: 0 } as const;
