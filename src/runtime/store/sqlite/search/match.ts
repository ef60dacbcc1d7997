import { piecesOf } from '../../search/words.ts';

/** For `text MATCH ?`; undefined when there is no word in the query, so that nothing can be found. */
export function matchOf(query: string, emitterRow: number): string | undefined {
  const pieces = piecesOf(query);
  if (pieces.length === 0) return undefined;
  return [`emitter:e${emitterRow}`, ...pieces.map((piece) => `"${piece.join(' ')}*"`)].join(' ');
}
