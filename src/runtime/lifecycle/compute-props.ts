/** The props that are in force once `additionalProps` has seen the configured values (reference §1.9). */
import type { ComponentDefinition, ConfigurableProp } from '../../protocol/definition.ts';
import type {
  AdditionalPropsResult,
  ConsoleLine,
  HostConfiguration,
  ThrownError,
} from '../../protocol/host.ts';
import { own } from '../../protocol/own.ts';
import type { Configured } from '../props/configured.ts';
import { withDefaults } from '../props/validation.ts';
import type { Host, Loss } from '../hosts/host.ts';
import { callHost } from '../invocations/ask-host.ts';

/** What a component is told besides its values: who it is, its accounts, endpoints and db. */
export type Surroundings = (props: Configured) => Omit<HostConfiguration, 'props'>;

export interface ComputedProps {
  /** With the final set, in order; as declared when `error` is there. */
  readonly definition: ComponentDefinition;
  readonly logs: readonly ConsoleLine[];
  readonly error?: ThrownError;
  readonly loss?: Loss;
}

/**
 * A set may hold props that ask for another one (`reloadProps`), and a default that is filled in is an
 * answer: the call is repeated until nothing changes, but not for ever (our decision).
 */
const mostRounds = 8;

export async function computeProps(
  host: Host,
  declared: ComponentDefinition,
  given: Configured,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<ComputedProps> {
  const logs: ConsoleLine[] = [];
  let definition = declared;
  let props = withDefaults(declared, given);
  for (let round = 1; declared.hasAdditionalProps; round += 1) {
    host.configure({ ...surroundings(props), props });
    const {
      error,
      loss,
      result,
      logs: said,
    } = await callHost(host, { call: 'additionalProps' }, signal);
    logs.push(...said);
    if (error !== undefined) {
      return { definition: declared, logs, error, ...(loss === undefined ? {} : { loss }) };
    }
    definition = { ...declared, props: finalSet(result) };
    const before = props;
    props = withDefaults(definition, given);
    if (round === mostRounds || sameReloadValues(definition.props, before, props)) break;
  }
  return { definition, logs };
}

function finalSet(result: string | undefined): readonly ConfigurableProp[] {
  return result === undefined ? [] : (JSON.parse(result) as AdditionalPropsResult).props;
}

function sameReloadValues(
  props: readonly ConfigurableProp[],
  before: Configured,
  after: Configured,
): boolean {
  return props
    .filter(({ reloadProps }) => reloadProps === true)
    .every(({ name }) => JSON.stringify(own(before, name)) === JSON.stringify(own(after, name)));
}
