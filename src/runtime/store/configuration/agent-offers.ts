/** Actions that agents are offered as tools. */
export interface AgentOffer {
  /** The path of a file or folder, the key of what is published, or the slug of an app. */
  readonly what: string;
  /** Account of an app by its slug, null for none. Empty: an app's only account is used. */
  readonly accounts: Readonly<Record<string, string | null>>;
  /** Names of the tools that run for real; the others are dry runs. */
  readonly live: readonly string[];
}

export interface AgentOfferTable {
  /** In the order in which they were made. */
  all(): AgentOffer[];
  /** In the place of one of the same. */
  put(offer: AgentOffer): Promise<void>;
  /** False if there is no such offer. */
  delete(what: string): Promise<boolean>;
}
