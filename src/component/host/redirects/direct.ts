/** Addresses of the runtime that requests of component code reach whatever else is set: past proxies and redirects. */

const direct = new Set<string>();

/** Requests to the host and port of this URL go there from now on. */
export function keepDirect(url: string): void {
  const { host } = new URL(url);
  if (direct.has(host)) return;
  direct.add(host);
  noProxy([host]);
}

export function isDirect(host: string, port: number | string | undefined): boolean {
  return direct.has(`${host}:${port ?? ''}`);
}

/** Clients that use HTTP_PROXY connect to these directly. */
export function noProxy(hosts: readonly string[]): void {
  const { env } = process;
  const before = env['no_proxy'] ?? env['NO_PROXY'];
  const all = [...(before === undefined || before === '' ? [] : [before]), ...hosts].join(',');
  Object.assign(env, { NO_PROXY: all, no_proxy: all });
}
