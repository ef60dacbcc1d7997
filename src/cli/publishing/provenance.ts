/** Whether npm signs where a package comes from (pure). */

export interface Provenance {
  readonly isSigned: boolean;
  /** Why not, where a person would expect it. */
  readonly note: string | undefined;
}

/**
 * npm signs in the jobs of GitHub and GitLab that may ask for an identity. What it signs is public, and so it
 * refuses to for a package that is not.
 * @param isPublic whether anybody may read the package
 */
export function provenanceIn(
  env: Readonly<Record<string, string | undefined>>,
  isPublic: boolean,
): Provenance {
  const isGithub = env['GITHUB_ACTIONS'] === 'true';
  const isGitlab = env['GITLAB_CI'] === 'true';
  const unsigned = (note: string | undefined): Provenance => ({ isSigned: false, note });
  if (!isGithub && !isGitlab) return unsigned(undefined);
  if (!isPublic) {
    return unsigned(
      'Published without provenance, which only public packages have: "publishConfig": {"access": "public"} in package.json makes it one.',
    );
  }
  const missing = isGithub
    ? [env['ACTIONS_ID_TOKEN_REQUEST_URL'], '"permissions: id-token: write"']
    : [env['SIGSTORE_ID_TOKEN'], '"id_tokens: SIGSTORE_ID_TOKEN: aud: sigstore"'];
  const [token, wanted] = missing;
  if (token !== undefined && token !== '') return { isSigned: true, note: undefined };
  return unsigned(`Published without provenance: the job needs ${wanted} for it.`);
}
