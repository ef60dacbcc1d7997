/** A component's definition as data: what is left when the functions stay in the host. */

/** A prop, as the platform's API lists it (`configurable_props`, P4.6). */
export interface ConfigurableProp {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly description?: string;
  readonly optional?: boolean;
  readonly default?: unknown;
  /** Scalars or `{label, value}`. */
  readonly options?: readonly unknown[];
  /** True when `options` is a function that the host can call. */
  readonly remoteOptions?: boolean;
  readonly useQuery?: boolean;
  readonly withLabel?: boolean;
  readonly secret?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly reloadProps?: boolean;
  readonly hidden?: boolean;
  readonly disabled?: boolean;
  /** App slug of an app prop. */
  readonly app?: string;
  readonly customResponse?: boolean;
  readonly static?: unknown;
  readonly content?: string;
  readonly alertType?: string;
  /** Further keys of the definition that are data (`accessMode`, `format`, `appProp`, …). */
  readonly [key: string]: unknown;
}

export interface ComponentDefinition {
  readonly name: string;
  readonly key: string | null;
  readonly type: 'source' | 'action' | 'app';
  readonly version: string | null;
  readonly description: string | null;
  /** As written; whether it is a known strategy is decided by validation. */
  readonly dedupe: string | null;
  /** In declaration order. */
  readonly props: readonly ConfigurableProp[];
  readonly hooks: readonly ('deploy' | 'activate' | 'deactivate')[];
  readonly hasRun: boolean;
  readonly hasAdditionalProps: boolean;
  readonly sampleEmit?: unknown;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** Whether a person gives the prop its value, as opposed to the runtime. */
export function isUserInput(prop: ConfigurableProp): boolean {
  return (
    !prop.type.startsWith('$.interface.') &&
    !prop.type.startsWith('$.service.') &&
    prop.type !== 'alert'
  );
}

/** Whether a form has a control for a prop: a person may fill it in, and it is not hidden. */
export function isAsked(prop: ConfigurableProp): boolean {
  if (prop.hidden === true || prop.disabled === true || prop.static !== undefined) return false;
  // Older components put the schedule on the prop itself (P3.9).
  if (prop.type === '$.interface.timer') {
    return prop['cron'] === undefined && prop['intervalSeconds'] === undefined;
  }
  // The value of a dir prop is never read (P3.30).
  return isUserInput(prop) && prop.type !== 'dir';
}

/** Whether its value is one of a list, from the file or from the component. */
export function hasOptions({ options, remoteOptions }: ConfigurableProp): boolean {
  return remoteOptions === true || (options !== undefined && options.length > 0);
}

/** Whether a component does not run as it should without a value of a prop. */
export function isRequired({ optional, hidden, disabled }: ConfigurableProp): boolean {
  return optional !== true && hidden !== true && disabled !== true;
}

/** Whether a prop wants a connected account. */
export function isRequiredApp(prop: ConfigurableProp): boolean {
  return prop.type === 'app' && isRequired(prop) && !needsNoAccount(prop);
}

/** Whether the code was found to take no credential of an app (P2.20). */
export function needsNoAccount(prop: ConfigurableProp): boolean {
  const { auth_keys: keys } = prop;
  return Array.isArray(keys) && keys.length === 0;
}

/** Slug of the app of an app prop. */
export function appOf({ app, name }: ConfigurableProp): string {
  return app ?? name;
}

/** The end of a sentence that says that an account is lacking. */
export function howToConnect(app: string): string {
  return `connect one with "weir accounts add ${app}", or with "Weir: Add Account…" in the editor`;
}
