import { WeirError } from '../protocol/errors.ts';
import { databaseScheme } from '../protocol/store-address.ts';
import type { Io } from './io.ts';

/**
 * `--store`, else `WEIR_STORE`: the database of PostgreSQL that holds everything. Undefined: the file of the data
 * folder does. `PGPASSWORD` is its password where the URL has none.
 * @param name of the option
 * @throws WeirError('bad_input') for what is no such URL, and for a password that others would see
 */
export function storeUrl(
  { env }: Pick<Io, 'env'>,
  option: string | undefined,
  name: '--store' | '--to' | '--from' = '--store',
): string | undefined {
  const text = option ?? env['WEIR_STORE'] ?? '';
  if (text === '') return undefined;
  const from = option === undefined ? 'WEIR_STORE' : name;
  if (databaseScheme(text) === undefined) {
    // It may have a password.
    throw new WeirError(
      'bad_input',
      `${from} takes the URL of a PostgreSQL database, such as postgres://weir@db.example.test/weir.`,
    );
  }
  const url = new URL(text);
  if (option !== undefined && (url.password !== '' || url.searchParams.has('password'))) {
    throw new WeirError(
      'bad_input',
      `Everybody on this machine can read the arguments of a program: give the password of ${name} in PGPASSWORD or in ~/.pgpass, or the whole URL in WEIR_STORE.`,
    );
  }
  if (url.password === '') url.password = encodeURIComponent(env['PGPASSWORD'] ?? '');
  return url.href;
}
