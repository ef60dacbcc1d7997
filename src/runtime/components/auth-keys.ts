/** The fields of `$auth` that a component reads, beside the app props of its definition (pure). */
import { appOf, type ConfigurableProp } from '../../protocol/definition.ts';
import type { AppKeys } from './bundle/app-keys.ts';

/**
 * The props, with `auth_keys` on each app prop whose fields are known, in the order they are read. What cannot be told
 * apart is that of the only app; with several apps it is left out.
 */
export function withAuthKeys(
  props: readonly ConfigurableProp[],
  { byApp, byOwner }: AppKeys,
): ConfigurableProp[] {
  const apps = props.filter(({ type }) => type === 'app');
  return props.map((prop) => {
    if (prop.type !== 'app') return prop;
    const slug = appOf(prop);
    const own = [byApp[slug], byOwner[prop.name], byOwner[slug]];
    const rest = apps.length === 1 ? [...Object.values(byApp), ...Object.values(byOwner)] : [];
    const keys = [...new Set([...own, ...rest].flatMap((names) => names ?? []))];
    return keys.length === 0 ? prop : { ...prop, auth_keys: keys };
  });
}
