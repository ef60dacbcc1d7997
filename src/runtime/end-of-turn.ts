/**
 * Puts off work to the end of the turn of the loop, where all of it is done in one go. What many
 * sockets brought in one turn is then read first and dealt with afterwards: each step finds its code
 * in the processor's cache, which spares a delivery a fifth of its CPU time (bench/).
 */
export function createEndOfTurn(): (work: () => void) => void {
  let waiting: (() => void)[] = [];
  const run = (): void => {
    const all = waiting;
    waiting = [];
    for (const work of all) work();
  };
  return (work) => {
    if (waiting.length === 0) setImmediate(run);
    waiting.push(work);
  };
}
