/**
 * The debugged emitters and files. While something is debugged, every process that Weir starts for it opens its own
 * inspector on a free port of the loopback address and waits for a debugger before user code runs; afterwards the
 * inspectors are closed and the processes continue.
 */
import type { Components, Deployment } from '../deployments/deployment.ts';
import type { Host } from '../../processes/host.ts';
import { openDebugged, openInspector, type OpenDebuggedOptions } from './open-debugged.ts';
import { DebugSession } from './session.ts';
import { type DebugTarget, keyOf } from '../../processes/debugged.ts';

export interface DebuggingOptions extends OpenDebuggedOptions {
  /** A session began, paused, continued or ended. */
  readonly changed: (target: DebugTarget) => void;
}

export class Debugging {
  readonly #options: DebuggingOptions;
  readonly #sessions = new Map<string, DebugSession>();

  constructor(options: DebuggingOptions) {
    this.#options = options;
  }

  /** The components; processes that belong to a session are started under its debugger. */
  get components(): Components {
    const { components } = this.#options;
    return {
      ...components,
      open: (deployment, wanted) => {
        const session = this.#sessionOf(wanted.sourceId, deployment.path);
        return session === undefined
          ? components.open(deployment, wanted)
          : openDebugged(session, deployment, wanted, this.#options);
      },
    };
  }

  /** @param key `dc_…` of a source, or the path of a file */
  find(key: string): DebugSession | undefined {
    return this.#sessions.get(key);
  }

  /**
   * From now on, until `stop` or until every owner is gone.
   * @param owner aborted when the client that asks is gone; without one only `stop` ends it
   */
  start(target: DebugTarget, owner: AbortSignal | undefined): DebugSession {
    const key = keyOf(target);
    const found = this.#sessions.get(key);
    const session = found ?? new DebugSession(target);
    if (found === undefined) {
      this.#sessions.set(key, session);
      this.#options.changed(target);
    }
    if (owner !== undefined && !session.owners.has(owner)) {
      session.owners.add(owner);
      const gone = (): void => {
        session.owners.delete(owner);
        if (session.owners.size === 0) this.#end(session);
      };
      owner.addEventListener('abort', gone, { once: true });
      if (owner.aborted) gone();
    }
    return session;
  }

  /** Does something that must not wait for a debugger, see `DebugSession.hurry`. */
  hurry<T>(key: string, work: () => Promise<T>): Promise<T> {
    const session = this.#sessions.get(key);
    return session === undefined ? work() : session.hurry(work);
  }

  stop(key: string): void {
    const session = this.#sessions.get(key);
    if (session !== undefined) this.#end(session);
  }

  /** The debugger reports that user code has paused, or continues. */
  paused(key: string, paused: boolean): void {
    const session = this.#sessions.get(key);
    if (session === undefined || session.paused === paused) return;
    session.paused = paused;
    this.#options.changed(session.target);
  }

  /** Debugs a process without restarting it, because there is work in it. */
  adopt(session: DebugSession, host: Host, deployment: Pick<Deployment, 'folder'>): Promise<void> {
    return openInspector(session, host, deployment, this.#options);
  }

  #end(session: DebugSession): void {
    if (session.ended) return;
    this.#sessions.delete(keyOf(session.target));
    session.end();
    this.#options.changed(session.target);
  }

  #sessionOf(sourceId: string | null, path: string | null): DebugSession | undefined {
    if (sourceId !== null) return this.#sessions.get(sourceId);
    if (path === null) return undefined;
    return [...this.#sessions.values()].find(({ target }) => target.path === path);
  }
}
