/** A component's place in a tree with the platform's layout: `<app>/{sources,actions}/<name>/<name>.*` (pure). */

export interface Placed {
  readonly path: string;
  readonly type: 'source' | 'action';
  /** As its path says it; its text may say another. Undefined where no folder of an app is above it. */
  readonly key: string | undefined;
}

const component = /^(?:(.+)\/)?(sources|actions)\/([\w-]+)\/\3\.(?:mjs|js|ts|mts)$/;

/** @param app of a tree that is the package of one app */
export function placedAt(path: string, app?: string): Placed | undefined {
  const [, above = '', kind, name] = component.exec(path) ?? [];
  if (kind === undefined || name === undefined || above.split('/').includes('node_modules')) {
    return undefined;
  }
  const slug = above.split('/').at(-1) || app;
  return {
    path,
    type: kind === 'sources' ? 'source' : 'action',
    key: slug === undefined ? undefined : `${slug}-${name}`,
  };
}

export function placedIn(paths: Iterable<string>, app?: string): Placed[] {
  const found: Placed[] = [];
  for (const path of paths) {
    const one = placedAt(path, app);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/** The app of a key: slugs have no "-" (P21). */
export function appOfKey(key: string): string | undefined {
  return /^(?:@[\w-]+\/)?([a-z0-9_]+)-/i.exec(key)?.[1];
}

/** `@scope/app-name` → `@scope/app`. */
export function packageOfKey(key: string, scope: string | undefined): string | undefined {
  const app = appOfKey(key);
  const own = /^(@[\w-]+)\//.exec(key)?.[1] ?? scope;
  return app === undefined || own === undefined ? undefined : `${own}/${app}`;
}

/** Without its scope. */
export function plainKey(key: string): string {
  return key.replace(/^@[\w-]+\//, '');
}
