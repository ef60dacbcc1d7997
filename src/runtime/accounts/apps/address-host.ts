/** Which host an address of a definition leads to, as a browser reads it and not as it looks (pure). */

/** A field that the user fills in. */
const placeholder = /\{\w+\}/g;

/**
 * `https://{name}.acme.com/token` → `*.acme.com`. What is written to look like another host, such as `https:///acme.com` or
 * with letters of another alphabet, comes out as what is connected to.
 */
export function hostIn(address: string): string {
  return new URL(address.replaceAll(placeholder, '*')).host;
}

/** Whether an address with its fields filled in leads where `hostIn` says: a field stands for a part of a name and no more. */
export function leadsToHostIn(address: string, filled: string): boolean {
  const [name = '', port = ''] = hostIn(address).split(/(?=:\d+$)/);
  const parts = name.split('*').map((part) => part.replaceAll(/[^\w-]/g, '\\$&'));
  const own = name.endsWith('*') && port === '' ? '(?::\\d+)?' : port;
  return new RegExp(`^${parts.join('[a-z0-9._-]*')}${own}$`).test(new URL(filled).host);
}
