/** The kind of thing that an id identifies. Its prefix says so, and only this file looks at prefixes. */

const kinds = {
  dc: 'source',
  p: 'workflow',
  d: 'deployment',
  exec: 'execution',
  u: 'user',
  wh: 'webhook',
  sub: 'subscription',
  asub: 'autoSubscription',
  sc: 'component',
  hi: 'httpInterface',
  ti: 'timerInterface',
  dyp: 'propSet',
  apn: 'account',
  ds: 'dataStore',
  inv: 'invocation',
  arun: 'actionRun',
  del: 'delivery',
} as const;

export type IdKind = (typeof kinds)[keyof typeof kinds];

const byPrefix: ReadonlyMap<string, IdKind> = new Map(Object.entries(kinds));

/**
 * @param text an id such as `dc_x7Kq2Pz`, or a text that was given instead of one
 * @returns undefined for anything without a known prefix, such as a name slug or a path
 */
export function kindOf(text: string): IdKind | undefined {
  const end = text.indexOf('_');
  return end === -1 ? undefined : byPrefix.get(text.slice(0, end));
}

export const invocationPrefix = 'inv_';
export const executionPrefix = 'exec_';

/** Id of a run by its number: runs of a source are invocations, runs of a workflow executions. */
export function runId(emitterId: string, n: number): string {
  return (kindOf(emitterId) === 'workflow' ? executionPrefix : invocationPrefix) + n;
}

const actionRunPrefix = 'arun_';

/** Id of a single run of an action. */
export function actionRunId(n: number): string {
  return actionRunPrefix + n;
}

/** @returns undefined for what is no such id */
export function actionRunNumber(id: string): number | undefined {
  const [, digits] = /^arun_(\d{1,16})$/.exec(id) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
