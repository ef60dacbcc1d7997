import type { Connection } from '../connection.ts';
import { toLocal } from './paths.ts';
import { remoteCall } from './remote-call.ts';
import type { Project } from './upload.ts';

/**
 * A connection to a runtime on another machine, used like a local one: callers see paths of this machine, and files
 * that a call names are uploaded. It is closed if the runtime has no place for the project.
 * @param name how the runtime is called in messages
 */
export async function asRemote(
  connection: Connection,
  project: Project,
  name: string,
): Promise<Connection> {
  try {
    const { folder } = await connection.call('uploads.locate', { project: project.name });
    const roots = { local: project.root, remote: folder };
    return {
      hello: connection.hello,
      get closed() {
        return connection.closed;
      },
      call: remoteCall(connection, { project, roots, name }),
      onChanges: (callback) => connection.onChanges((batch) => callback(toLocal(roots, batch))),
      onClose: (callback) => connection.onClose(callback),
      close: () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}
