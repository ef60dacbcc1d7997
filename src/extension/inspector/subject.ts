/** Which event an inspector shows: enough to show it again after a reload of the window. */
export interface InspectorSubject {
  readonly dataFolder: string;
  readonly sourceId: string;
  readonly eventId: string;
}

/** Reads a subject that a page kept; undefined when it is none. */
export function parseSubject(kept: unknown): InspectorSubject | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { dataFolder, sourceId, eventId } = kept as Record<string, unknown>;
  if (typeof dataFolder !== 'string' || typeof sourceId !== 'string') return undefined;
  return typeof eventId === 'string' ? { dataFolder, sourceId, eventId } : undefined;
}
