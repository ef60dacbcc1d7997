import type { Handlers } from './operations.ts';
import type { Room } from './room.ts';

type RuntimeHandlers = Pick<Handlers, 'runtime.info' | 'runtime.stop' | 'db.copy'>;

export function runtimeHandlers(room: Room): RuntimeHandlers {
  return {
    'runtime.info': () => room.info(),
    'runtime.stop': () => {
      room.stop();
      return {};
    },
    'db.copy': async (params) => ({
      file: params.file,
      bytes: await room.store.copyTo(params.file),
    }),
  };
}
