import type { ApiServices } from './api-services.ts';
import { isAbsolute } from 'node:path';
import { WeirError } from '../../../protocol/errors.ts';
import { load } from '../../components/load.ts';
import { pack } from '../../registry/publish/pack.ts';
import type { Handlers } from './operations.ts';

export interface PackHandlerParts extends Pick<ApiServices, 'components' | 'prepare'> {}

export function packHandlers(parts: PackHandlerParts): Pick<Handlers, 'components.pack'> {
  return {
    async 'components.pack'({ component_path: path }, context) {
      if (!isAbsolute(path)) {
        throw new WeirError('bad_input', `component_path must be absolute, not "${path}".`);
      }
      const prepare = { ...parts.prepare, components: parts.components };
      const packed = await pack(path, {
        signal: context.signal,
        progress: (message) => context.progress(message),
        async evaluate(file) {
          const { host, definition } = await load(prepare, null, { component_path: file }, context);
          await host.end();
          return definition;
        },
      });
      const { name, version, folder, manifest, map, files } = packed;
      return {
        name,
        version,
        folder,
        manifest,
        weir: map,
        files: [...files].map(([file, data]) => ({
          path: file,
          size: data.length,
          data: Buffer.from(data).toString('base64'),
        })),
      };
    },
  };
}
