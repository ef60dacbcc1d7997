import type { RuntimeInfo } from '../../protocol/catalogue.ts';
import type { Store } from '../store/store.ts';
import type { Handlers } from './operations.ts';

export interface RuntimeHandlerParts {
  readonly store: Pick<Store, 'copyTo'>;
  readonly info: () => RuntimeInfo;
  /** Stops the runtime after the answer has gone out. */
  readonly stop: () => void;
}

export function runtimeHandlers({
  store,
  info,
  stop,
}: RuntimeHandlerParts): Pick<Handlers, 'runtime.info' | 'runtime.stop' | 'db.copy'> {
  return {
    'runtime.info': () => info(),
    'runtime.stop': () => {
      stop();
      return {};
    },
    'db.copy': async ({ file }) => ({ file, bytes: await store.copyTo(file) }),
  };
}
