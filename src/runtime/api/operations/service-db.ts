import type { ApiServices } from './api-services.ts';
import type { DbEntry } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import type { SourceRecord } from '../../store/configuration/sources.ts';
import type { UsesStore } from '../../store/store.ts';
import {
  changedMeanwhile,
  holds,
  jsonOf,
  keyOfCursor,
  pageOfKeys,
  storedKey,
} from './keyed-values.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentPage } from './present.ts';
import { findSource } from './show-source.ts';
import type { Services } from '../../events/services.ts';

type ServiceDbHandlers = Pick<
  Handlers,
  'service_db.list' | 'service_db.get' | 'service_db.set' | 'service_db.delete' | 'service_db.clear'
>;

export interface ServiceDbHandlerParts
  extends UsesStore<'sources'>, Pick<Services, 'emitters'>, Pick<ApiServices, 'lifecycle'> {}

export function serviceDbHandlers({
  store,
  emitters,
  lifecycle,
}: ServiceDbHandlerParts): ServiceDbHandlers {
  /** A source's db as its commits left it, and the prop that is meant. */
  const find = (idOrSlug: string, given: string | undefined) => {
    const record = findSource(store, idOrSlug);
    const { db } = emitters.require(record.id);
    return { record, db, prop: propOf(record, db.props(), given) };
  };
  return {
    'service_db.list': (params) => {
      const { db, prop } = find(params.id, params.prop);
      const after = keyOfCursor(params.after);
      const all = db.entries(prop);
      const rows = all
        .filter(([key]) => after === null || key > after)
        .slice(0, pageRequest(params).limit)
        .map(([key, json]) => ({ key, json }));
      return presentPage(pageOfKeys(rows, all.length), presentEntry);
    },
    'service_db.get': (params) => {
      const { record, db, prop } = find(params.id, params.prop);
      const key = storedKey(params.key);
      const json = db.get(prop, key);
      if (json === undefined) throw noKey(record, key);
      return presentEntry({ key, json });
    },
    'service_db.set': async (params) => {
      const { record, prop } = find(params.id, params.prop);
      const key = storedKey(params.key);
      const json = jsonOf(params.value);
      await lifecycle.editDb(record.id, (db) => {
        if (params.expected !== undefined && !holds(db.get(prop, key), params.expected)) {
          throw changedMeanwhile(`key "${key}" of ${record.name}`);
        }
        return [{ prop, key, json }];
      });
      return presentEntry({ key, json });
    },
    'service_db.delete': async (params) => {
      const { record, prop } = find(params.id, params.prop);
      const key = storedKey(params.key);
      await lifecycle.editDb(record.id, (db) => {
        if (db.get(prop, key) === undefined) throw noKey(record, key);
        return [{ prop, key }];
      });
      return {};
    },
    'service_db.clear': async (params) => {
      const { record, prop } = find(params.id, params.prop);
      await lifecycle.editDb(record.id, (db) => db.entries(prop).map(([key]) => ({ prop, key })));
      return {};
    },
  };
}

/**
 * @param written props that something was ever written to: replaced code may have had them
 * @throws WeirError `bad_input` if the prop has to be named, `not_found`
 */
function propOf(
  { name, definition }: SourceRecord,
  written: readonly string[],
  given: string | undefined,
): string {
  const declared = definition.props.filter(({ type }) => type === '$.service.db');
  const props = declared.map((prop) => prop.name);
  if (given === undefined) {
    const [only, another] = props;
    if (only === undefined) {
      throw new WeirError(
        'not_found',
        `${name} has no db: it declares no prop of type $.service.db.`,
      );
    }
    if (another === undefined) return only;
    throw new WeirError(
      'bad_input',
      `${name} has several dbs: give prop, one of ${props.join(', ')}.`,
    );
  }
  if ([...props, ...written].includes(given)) return given;
  throw new WeirError('not_found', `${name} has no prop "${given}" of type $.service.db.`);
}

function noKey({ name }: SourceRecord, key: string): WeirError {
  return new WeirError('not_found', `The db of ${name} has no key "${key}".`);
}

function presentEntry({ key, json }: { readonly key: string; readonly json: string }): DbEntry {
  return { key, value: valueOfJson(json) };
}
