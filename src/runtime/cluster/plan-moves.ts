/** Which emitter moves to which node, so that all have about as many (pure). */

export interface NodeLoad {
  readonly node: number;
  /** Emitters that may move, and emitters that may not. */
  readonly movable: readonly string[];
  readonly fixed: number;
}

export interface Move {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/**
 * From the node with the most to the one with the least, one by one, until they differ by one at most or nothing may
 * move any more. What moves is chosen by its id alone, so that the same stays where it is.
 */
export function planMoves(loads: readonly NodeLoad[]): Move[] {
  const nodes = loads.map(({ node, movable, fixed }) => ({
    node,
    movable: movable.toSorted(),
    fixed,
  }));
  const moves: Move[] = [];
  const sizeOf = (one: (typeof nodes)[number]): number => one.movable.length + one.fixed;
  for (;;) {
    const bySize = nodes.toSorted((a, b) => sizeOf(a) - sizeOf(b) || a.node - b.node);
    const to = bySize[0];
    const from = bySize.findLast(({ movable }) => movable.length > 0);
    if (to === undefined || from === undefined || sizeOf(from) - sizeOf(to) < 2) return moves;
    const id = from.movable.pop();
    if (id === undefined) return moves;
    to.movable.push(id);
    moves.push({ id, from: from.node, to: to.node });
  }
}
