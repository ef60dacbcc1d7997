import type { Parsed } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { openProps } from '../accounts/secret-props.ts';
import { accountIds, mergeConfigured } from '../props/configured.ts';
import { endpointsOf } from '../lifecycle/host-configuration.ts';
import type { FormSubject } from '../forms/forms.ts';
import { hasOrigin } from '../components/origin.ts';
import { load } from '../components/load.ts';
import { runAction } from '../one-off-runs/run-action.ts';
import type { CallContext, Handlers } from './operations.ts';
import { pageRequest, presentComponent, presentPage } from './present.ts';
import { presentActionRun, presentObservations } from './present-calls.ts';
import { findSource, type Room } from './room.ts';

type ComponentHandlers = Pick<
  Handlers,
  | 'components.inspect'
  | 'components.list'
  | 'components.configure'
  | 'components.props'
  | 'actions.run'
>;

export function componentHandlers(room: Room): ComponentHandlers {
  const { store, forms, propSets } = room;
  return {
    'components.inspect': async (params, context) => {
      // A look at a file is no reason to wait for a debugger.
      const { host, definition, deployment, warnings } = await load(
        { ...room.prepare, components: room.components },
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
        has_additional_props: definition.hasAdditionalProps,
        warnings: [...warnings],
      };
    },
    'components.list': (params) =>
      presentPage(store.components.list(pageRequest(params)), presentComponent),

    'components.configure': async (params, context) => {
      const { prop_name: prop, page = 0, prev_context: prevContext, query } = params;
      const { result, errors, called } = await forms.options(
        () => formSubject(room, params, context),
        { prop, page, prevContext, query },
        context.signal,
      );
      return {
        options: (result?.options ?? []).map(({ label, value }) => ({ label, value })),
        context: result?.context ?? null,
        errors: [...errors],
        observations: presentObservations(called, room.now()),
      };
    },
    'components.props': async (params, context) => {
      const { result, errors, called } = await forms.props(
        () => formSubject(room, params, context),
        context.signal,
      );
      const props = result ?? [];
      return {
        dynamic_props_id: errors.length === 0 ? propSets.add(props) : null,
        configurable_props: [...props],
        errors: [...errors],
        observations: presentObservations(called, room.now()),
      };
    },
    'actions.run': async (params, context) => {
      const requireAccounts = (configured: Readonly<Record<string, unknown>>) => {
        for (const id of accountIds(configured)) room.accounts.get(id);
      };
      return presentActionRun(
        await runAction(
          { prepare: room.prepare, requireAccounts, stashDir: room.stashDir('actions') },
          params,
          context,
        ),
      );
    },
  };
}

/** A source with an origin beside it is about to get that code: its values lie under the given ones. */
async function formSubject(
  room: Room,
  params: Parsed<'components.props'>,
  context: CallContext,
): Promise<FormSubject> {
  const given = params.configured_props ?? {};
  const shown = params.dynamic_props_id;
  const propSet = shown === undefined ? undefined : room.propSets.get(shown);
  const steps = { signal: context.signal, progress: (step: string) => context.progress(step) };
  if (params.id === undefined) {
    const deployment = await room.forms.deploymentOf(params, steps);
    return { deployment, given, self: { endpoints: {}, db: {} }, propSet };
  }
  const record = findSource(room, params.id);
  const isOther = hasOrigin(params);
  const deployment = isOther
    ? await room.forms.deploymentOf(params, steps)
    : room.instances.get(record.id)?.deployment;
  if (deployment === undefined || deployment.bundle === '') {
    throw new WeirError(
      'not_found',
      `The code of ${record.name} is gone from the data folder; update the source to deploy it again.`,
    );
  }
  const deployedSet =
    record.definition.hasAdditionalProps && !isOther ? record.definition.props : undefined;
  return {
    deployment,
    given: mergeConfigured(
      record.definition,
      openProps(record.configuredProps, room.sealer),
      given,
    ),
    self: {
      sourceId: record.id,
      endpoints: endpointsOf(record, room.endpointUrl),
      db: room.store.sources.db(record.id),
      stashDir: room.stashDir(record.id),
    },
    propSet: propSet ?? deployedSet,
  };
}
