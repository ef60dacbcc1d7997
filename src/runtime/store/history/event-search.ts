/**
 * The words of events, for `events.list`. An event is found at once; its words go into the index
 * later, in small steps when there is time, because that costs twenty times what its commit does.
 */
export interface EventSearch {
  /** Events whose words are not in the index yet. */
  readonly behind: number;
  /** Indexes the next ones, at most so many; resolves when that is on disk. */
  step(most: number): Promise<void>;
}
