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

/**
 * Whether an address with its fields filled in leads to the host of `hostIn`: a field may replace only one part of a
 * name.
 */
export function leadsToHostIn(address: string, filled: string): boolean {
  const [name = '', port = ''] = hostIn(address).split(/(?=:\d+$)/);
  const { host } = new URL(filled);
  const [ownName = '', ownPort = ''] = host.split(/(?=:\d+$)/);
  const mayChoosePort = name.endsWith('*') && port === '';
  return (mayChoosePort || port === ownPort) && fitsName(name.split('*'), ownName);
}

/**
 * Whether a name has these parts in their order, with nothing but letters, digits, `.`, `_` and `-` between them. Each part
 * is taken where it comes first, so a definition with many fields takes no longer than one with few.
 */
function fitsName(parts: readonly string[], name: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  let between = '';
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    between += name.slice(at, found);
    at = found + part.length;
  }
  if (name.length - last.length < at || !name.endsWith(last)) return false;
  return /^[a-z0-9._-]*$/.test(between + name.slice(at, name.length - last.length));
}
