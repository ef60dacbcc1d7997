/** The schemes of addresses of databases that several runtimes can share. */
export const databaseSchemes = ['postgres', 'postgresql'] as const;

export type DatabaseScheme = (typeof databaseSchemes)[number];

/** @returns the scheme of `postgres://user@host/database`; undefined for any other text */
export function databaseScheme(address: string): DatabaseScheme | undefined {
  if (!URL.canParse(address) || !address.includes('://')) return undefined;
  return databaseSchemes.find((scheme) => address.startsWith(`${scheme}://`));
}
