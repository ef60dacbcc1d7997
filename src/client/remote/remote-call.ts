/**
 * Calls of a runtime on another machine: uploads the files that a call names, and translates paths of the answer to
 * local ones.
 */
import type { OperationName, Params, Result } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Caller, CallOptions } from '../connection.ts';
import { type Roots, toLocal, toRemote } from './paths.ts';
import { projectFiles } from './project-files.ts';
import { type Project, upload } from './upload.ts';

/** Operations that read or write files beside the code, and what to do instead. */
const onlyHere: Partial<Record<OperationName, string>> = {
  'debug.start': 'A debugger attaches to processes of this machine only',
  'tests.run': 'Tests run on the files of this machine',
  'tests.save': 'A test is written beside the workflow, on this machine',
  'executions.pin': 'A pin is written beside the workflow, on this machine',
  'workflows.pins': 'Pins lie beside the workflow, on this machine',
  'workflows.unpin': 'Pins lie beside the workflow, on this machine',
  'imports.run': 'Workflows are imported into a folder of this machine',
  'imports.answer': 'An answer is written into the file, on this machine',
  'imports.move_secrets': 'Secrets are moved out of the file, on this machine',
  'runtime.stop': 'Whoever runs that server stops it',
};

/** Values of the user, which are shown and saved as they are. */
const asTheyAre = /^(serviceDb|dataStores|environment)\./;

export interface RemoteOptions {
  readonly project: Project;
  /** The project's folders on the two machines. */
  readonly roots: Roots;
  /** How the runtime is called in messages. */
  readonly name: string;
}

/** The same calls as `caller`'s, for files of this machine. Always rejects with `WeirError`. */
export function remoteCall(caller: Caller, options: RemoteOptions): Caller['call'] {
  const { project, roots, name } = options;

  return async <N extends OperationName>(
    operation: N,
    params: Params<N>,
    callOptions: CallOptions = {},
  ): Promise<Result<N>> => {
    const refused = onlyHere[operation] ?? debugging(params);
    if (refused !== undefined) {
      throw new WeirError(
        'conflict',
        `${refused}, and this window is connected to ${name}: run Weir: Switch Runtime… and choose the local one.`,
      );
    }
    const sent = await withFiles(params, callOptions);
    const shown = <T>(value: T): T => (asTheyAre.test(operation) ? value : toLocal(roots, value));
    try {
      return shown(await caller.call(operation, sent, callOptions));
    } catch (thrown) {
      if (!WeirError.is(thrown)) throw thrown;
      const { code, message, details, stack } = thrown;
      const error = new WeirError(code, shown(message), shown(details));
      if (stack !== undefined) error.stack = stack;
      throw error;
    }
  };

  async function withFiles<P extends object>(params: P, callOptions: CallOptions): Promise<P> {
    const given = Object.entries(params).filter(
      (one): one is [string, string] =>
        (one[0] === 'component_path' || one[0] === 'workflow_path') && typeof one[1] === 'string',
    );
    let changed = params;
    for (const [key, file] of given) {
      await upload(caller, project, await projectFiles(project.root, file), callOptions);
      changed = { ...changed, [key]: toRemote(roots, file) };
    }
    return changed;
  }
}

/** A deploy or an update under a debugger. */
function debugging(params: object): string | undefined {
  return 'debug' in params && params.debug === true ? onlyHere['debug.start'] : undefined;
}
