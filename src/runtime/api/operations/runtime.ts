import type { RuntimeInfo } from '../../../protocol/catalogue.ts';
import type { Handlers } from './operations.ts';

export interface RuntimeHandlerParts {
  /** Writes the store and the code it needs into one file; resolves with its size. */
  readonly copy: (file: string) => Promise<number>;
  readonly info: () => RuntimeInfo;
  readonly user: { readonly id: string; readonly username: string };
  /** Stops the runtime after the answer was sent. */
  readonly stop: () => void;
}

export function runtimeHandlers({
  copy,
  info,
  user,
  stop,
}: RuntimeHandlerParts): Pick<Handlers, 'users.me' | 'runtime.info' | 'runtime.stop' | 'db.copy'> {
  return {
    'users.me': () => ({ ...user, email: null, orgs: [] }),
    'runtime.info': () => info(),
    'runtime.stop': () => {
      stop();
      return {};
    },
    'db.copy': async ({ file }) => ({ file, bytes: await copy(file) }),
  };
}
