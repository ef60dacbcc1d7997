/** Makes the configuration of a source's process from its record. */
import type { HostConfiguration } from '../../protocol/host.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Sealer } from '../accounts/seal.ts';
import { openProps } from '../accounts/secret-props.ts';
import { accountIds } from '../components/props/configured.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { Services } from '../events/services.ts';

export interface ConfigurationOptions extends Pick<Services, 'emitters'> {
  readonly accounts: Accounts;
  readonly sealer: Sealer;
  readonly endpointUrl: (interfaceId: string) => string;
  /** Folder for the files of a source. */
  readonly stashDir: (sourceId: string) => string;
}

/** Secrets are in the clear from here on: the result goes to the component's process and nowhere else. */
export function hostConfiguration(
  options: ConfigurationOptions,
  record: SourceRecord,
): HostConfiguration {
  const props = openProps(record.configuredProps, options.sealer);
  return {
    sourceId: record.id,
    props,
    accounts: options.accounts.credentialsOf(accountIds(props)),
    endpoints: endpointsOf(record, options.endpointUrl),
    db: options.emitters.get(record.id)?.db.snapshot() ?? {},
    stashDir: options.stashDir(record.id),
    ...(record.definition.hasAdditionalProps && { propSet: record.definition.props }),
  };
}

/** Endpoint URL of every HTTP interface, by prop name. */
export function endpointsOf(
  record: SourceRecord,
  endpointUrl: (interfaceId: string) => string,
): Record<string, string> {
  const http = record.interfaces.filter(({ kind }) => kind === 'http');
  return Object.fromEntries(http.map(({ id, prop }) => [prop, endpointUrl(id)]));
}
