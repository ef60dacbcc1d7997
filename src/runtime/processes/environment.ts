/**
 * The environment of a component host: components must not see the user's variables (P15.1), but the
 * programs and networks they use must be found.
 */
const kept = new Set([
  // Finding programs, folders, libraries.
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LD_LIBRARY_PATH',
  // The variables on Windows.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  // Language and time.
  'LANG',
  'LANGUAGE',
  'TZ',
  // Getting through a company's network.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'NODE_USE_ENV_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  // The folder where components may write files (P15.4).
  'STASH_DIR',
]);

/** Keeps what is needed of `environment`; names are compared without regard to case. */
export function hostEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  // VS Code's own binary runs as Node with this; Node itself does not look at it.
  const result: Record<string, string> = { ELECTRON_RUN_AS_NODE: '1' };
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (kept.has(upper) || upper.startsWith('LC_'))) result[name] = value;
  }
  return result;
}
