/** What component code may leave behind after its runs: timers, connections, programs, servers. */

/** Component code may put functions of its own into the place of Node's. */
const activeResources = process.getActiveResourcesInfo.bind(process);

/** The batch of this turn. */
const ownKind = 'Immediate';

function count(): number {
  return activeResources().filter((kind) => kind !== ownKind).length;
}

/**
 * Made before any component code is loaded, with the host's own pipes open. Returns a function that says whether something else
 * keeps the event loop alive. A connection that an agent keeps for reuse does not.
 */
export function watchPending(): () => boolean {
  const own = count();
  return () => count() > own;
}
