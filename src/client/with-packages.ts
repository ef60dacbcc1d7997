import type { OperationName, Params } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import type { Caller, CallOptions } from './connection.ts';

/**
 * The same calls, for a person at the terminal or editor: a call that lacks npm packages is repeated with `install:
 * true` after a yes. A call that already says `install` is not changed.
 * @param approve is given `name@version` of each package
 */
export function withPackages(
  { call }: Caller,
  approve: (packages: readonly string[]) => Promise<boolean>,
): Caller['call'] {
  return async <N extends OperationName>(name: N, params: Params<N>, options?: CallOptions) => {
    try {
      return await call(name, params, options);
    } catch (error) {
      if (!WeirError.is(error, 'packages_needed') || 'install' in params) throw error;
      const packages = (error.details ?? []).flatMap((detail) =>
        typeof detail['package'] === 'string' ? [detail['package']] : [],
      );
      if (!(await approve(packages))) throw error;
      return call(name, { ...params, install: true }, options);
    }
  };
}
