import type { Uploads } from '../../server/uploads/uploads.ts';
import type { Handlers } from './operations.ts';

export interface UploadHandlerParts {
  readonly uploads: Pick<Uploads, 'locate' | 'put'>;
}

export function uploadHandlers({
  uploads,
}: UploadHandlerParts): Pick<Handlers, 'uploads.locate' | 'uploads.put'> {
  return {
    'uploads.locate': ({ project }) => ({ folder: uploads.locate(project) }),
    'uploads.put': (upload, { signal }) => uploads.put(upload, signal),
  };
}
