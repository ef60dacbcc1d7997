import type { ApiServices } from './api-services.ts';
import type { Parsed } from '../../../protocol/catalogue.ts';
import { appOf, type ComponentDefinition } from '../../../protocol/definition.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { openProps } from '../../accounts/secret-props.ts';
import { withoutOthers } from '../../components/props/allowed-accounts.ts';
import { accountIds, mergeConfigured } from '../../components/props/configured.ts';
import { endpointsOf } from '../../sources/host-configuration.ts';
import type { FormSubject } from '../../components/forms/forms.ts';
import { hasOrigin } from '../../components/origin.ts';
import { appPropOf } from '../../components/event-names.ts';
import { load } from '../../components/load.ts';
import type { PrepareOptions } from '../../components/prepare.ts';
import type { UsesStore } from '../../store/store.ts';
import type { CallContext, Handlers } from './operations.ts';
import { pageRequest, presentComponent, presentPage } from './present.ts';
import { presentObservations } from './present-runs.ts';
import { findSource } from './show-source.ts';
import type { Services } from '../../events/services.ts';

type ComponentHandlers = Pick<
  Handlers,
  'components.inspect' | 'components.list' | 'components.configure' | 'components.props'
>;

export interface ComponentHandlerParts
  extends
    UsesStore<'components' | 'sources'>,
    Pick<Services, 'emitters' | 'now'>,
    Pick<
      ApiServices,
      | 'components'
      | 'prepare'
      | 'forms'
      | 'propSets'
      | 'instances'
      | 'sealer'
      | 'endpointUrl'
      | 'stashDir'
    > {}

/** A sentence for each apphook that nothing triggers by itself. */
function unfedAppHooks(
  definition: ComponentDefinition,
  sendsEvents: PrepareOptions['sendsEvents'],
): string[] {
  return definition.props.flatMap((prop) => {
    if (prop.type !== '$.interface.apphook') return [];
    const app = appPropOf(definition, prop);
    if (app !== undefined && sendsEvents(appOf(app))) return [];
    return [
      app === undefined
        ? `${prop.name}: its appProp names no app prop; nothing triggers it.`
        : `${prop.name}: no definition says how ${appOf(app)} sends events; feed it by hand with "weir invoke", or say it in weir/apps/${appOf(app)}.json.`,
    ];
  });
}

export function componentHandlers(parts: ComponentHandlerParts): ComponentHandlers {
  const { store, forms, propSets } = parts;
  return {
    'components.inspect': async (params, context) => {
      // A look at a file is no reason to wait for a debugger.
      const { host, definition, deployment, warnings } = await load(
        { ...parts.prepare, components: parts.components },
        null,
        params,
        context,
      );
      await host.end();
      const { name, key, type, version, description, dedupe, props } = definition;
      const code_hash = deployment.hash;
      return {
        name,
        key,
        type,
        version,
        description,
        dedupe,
        code_hash,
        configurable_props: [...props],
        ...(definition.sampleEmit === undefined ? {} : { sample_emit: definition.sampleEmit }),
        ...(definition.annotations === undefined ? {} : { annotations: definition.annotations }),
        has_additional_props: definition.hasAdditionalProps,
        warnings: [...warnings, ...unfedAppHooks(definition, parts.prepare.sendsEvents)],
      };
    },
    'components.list': (params) =>
      presentPage(store.components.list(pageRequest(params)), presentComponent),

    'components.configure': async (params, context) => {
      const { prop_name: prop, page = 0, prev_context: prevContext, query } = params;
      const { result, errors, called } = await forms.options(
        () => formSubject(parts, params, context),
        { prop, page, prevContext, query },
        context.signal,
      );
      return {
        options: (result?.options ?? []).map(({ label, value }) => ({ label, value })),
        context: result?.context ?? null,
        errors: [...errors],
        observations: presentObservations(called, parts.now()),
      };
    },
    'components.props': async (params, context) => {
      const { result, errors, called } = await forms.props(
        () => formSubject(parts, params, context),
        context.signal,
      );
      const props = result ?? [];
      return {
        dynamic_props_id: errors.length === 0 ? propSets.add(props) : null,
        configurable_props: [...props],
        errors: [...errors],
        observations: presentObservations(called, parts.now()),
      };
    },
  };
}

/** A source with an origin beside it is about to get that code: the given values override its own. */
async function formSubject(
  parts: ComponentHandlerParts,
  params: Parsed<'components.props'>,
  context: CallContext,
): Promise<FormSubject> {
  const given = params.configured_props ?? {};
  const shown = params.dynamic_props_id;
  const propSet = shown === undefined ? undefined : parts.propSets.get(shown);
  const { signal, adHoc } = context;
  const steps = { signal, adHoc, progress: (step: string) => context.progress(step) };
  if (params.id === undefined) {
    const deployment = await parts.forms.deploymentOf(params, steps);
    const self = { endpoints: {}, db: {} };
    return { deployment, given, self, propSet, accounts: params.accounts };
  }
  const record = findSource(parts.store, params.id);
  const isOther = hasOrigin(params);
  const deployment = isOther
    ? await parts.forms.deploymentOf(params, steps)
    : parts.instances.get(record.id)?.deployment;
  if (deployment === undefined || deployment.bundle === '') {
    throw new WeirError(
      'not_found',
      `The code of ${record.name} is gone from the data folder; update the source to deploy it again.`,
    );
  }
  const deployedSet =
    record.definition.hasAdditionalProps && !isOther ? record.definition.props : undefined;
  const stored = openProps(record.configuredProps, parts.sealer);
  const { accounts } = params;
  // Its own code keeps its accounts; other code has those only that it may use.
  const configured = isOther && accounts ? withoutOthers(stored, accounts) : stored;
  return {
    deployment,
    given: mergeConfigured(record.definition, configured, given),
    accounts: isOther ? accounts : accounts && [...accounts, ...accountIds(stored)],
    self: {
      sourceId: record.id,
      endpoints: endpointsOf(record, parts.endpointUrl),
      db: parts.emitters.get(record.id)?.db.snapshot() ?? {},
      stashDir: parts.stashDir(record.id),
    },
    propSet: propSet ?? deployedSet,
  };
}
