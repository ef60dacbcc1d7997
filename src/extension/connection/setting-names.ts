/**
 * Settings that are the runtime's: `weir.<name>` here is `--set <name>=<value>` there. The manifest
 * declares them, src/runtime/settings.ts knows them, and a test holds the three together.
 */
export const runtimeSettingNames = [
  'packages.install',
  'npm.path',
  'run.timeoutSeconds',
  'run.memoryMb',
  'run.httpConcurrency',
  'run.idleSeconds',
  'http.bodyLimitKb',
  'retention.events',
  'retention.megabytes',
  'retention.days',
  'delivery.concurrency',
] as const;

/** Settings that a runtime takes as arguments of their own. */
export const runtimeArgumentNames = ['publicUrl', 'redirects'] as const;
