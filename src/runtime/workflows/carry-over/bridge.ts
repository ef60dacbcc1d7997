/** Which credentials that were carried over end by themselves (pure). */

/** Whether an account has a token that its OAuth client renews, and nothing here to renew it with. */
export function isBridge(auth: Readonly<Record<string, unknown>>): boolean {
  const has = (name: string): boolean => typeof auth[name] === 'string' && auth[name] !== '';
  return has('oauth_access_token') && !has('oauth_refresh_token');
}
