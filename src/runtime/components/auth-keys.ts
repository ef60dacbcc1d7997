/** The fields of `$auth` that a component reads, beside the app props of its definition (pure). */
import { appOf, type ConfigurableProp } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import type { AppKeys } from './bundle/app-keys.ts';

/**
 * The props, with `auth_keys` on each app prop whose fields are known, in the order they are read: none for an app that
 * needs no account. What cannot be told apart is that of the only app; with several apps it is left out.
 */
export function withAuthKeys(
  props: readonly ConfigurableProp[],
  found: AppKeys,
): ConfigurableProp[] {
  const { byApp, byOwner } = found;
  const apps = props.filter(({ type }) => type === 'app');
  return props.map((prop) => {
    if (prop.type !== 'app') return prop;
    const slug = appOf(prop);
    const own = [byApp[slug], byOwner[prop.name], byOwner[slug]];
    const rest = apps.length === 1 ? [...Object.values(byApp), ...Object.values(byOwner)] : [];
    const keys = [...new Set([...own, ...rest].flatMap((names) => names ?? []))];
    if (keys.length === 0 && !takesNothing(prop, props, found)) return prop;
    return { ...prop, auth_keys: keys };
  });
}

/**
 * Whether the code takes no credential of an app (P2.20): the file of the app takes none, and what other files take is
 * that of another app. An app whose events reach the component needs an account whatever the code reads.
 */
function takesNothing(
  { name, ...prop }: ConfigurableProp,
  props: readonly ConfigurableProp[],
  { takes = {}, takenFrom = [] }: AppKeys,
): boolean {
  const slug = appOf({ name, ...prop });
  if (own(takes, slug) !== false) return false;
  if (props.some(({ type, appProp }) => type === '$.interface.apphook' && appProp === name))
    return false;
  const others = props
    .filter((one) => one.type === 'app' && one.name !== name && appOf(one) !== slug)
    .flatMap((one) => [one.name, appOf(one)]);
  return takenFrom.every((owner) => others.includes(owner));
}
