/** What a named key allows; each scope includes the earlier ones. */
export const scopes = ['read', 'deploy', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** @param granted undefined: no key was shown */
export function allows(granted: Scope | undefined, needed: Scope): boolean {
  return granted !== undefined && scopes.indexOf(granted) >= scopes.indexOf(needed);
}
