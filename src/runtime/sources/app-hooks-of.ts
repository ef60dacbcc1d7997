/** The apphook props of a source, as its record has them (pure). */
import { appOf } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import type { AppHook } from './apphooks/app-hooks.ts';
import { accountIds } from '../components/props/configured.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';

export function appHooksOf({
  id: sourceId,
  interfaces,
  definition,
  configuredProps,
}: Pick<SourceRecord, 'id' | 'interfaces' | 'definition' | 'configuredProps'>): AppHook[] {
  return interfaces.flatMap(({ id, prop: name, kind }) => {
    const prop = definition.props.find((one) => one.name === name);
    const appProp = definition.props.find((one) => one.name === prop?.['appProp']);
    if (kind !== 'apphook' || prop === undefined || appProp === undefined) return [];
    const [account] = accountIds({ app: own(configuredProps, appProp.name) });
    const eventNames = prop['eventNames'] as readonly string[] | null;
    return [{ sourceId, id, prop: name, app: appOf(appProp), account, eventNames }];
  });
}
