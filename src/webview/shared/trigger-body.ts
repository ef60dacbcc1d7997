/** What a trigger was received with, as a value (pure). */
import type { StoredTrigger } from '../../protocol/catalogue.ts';
import { startTree, type TreeState } from './json-rows.ts';

/** The value of a trigger that is shown as a tree; null where it has none. */
export function bodyOf(trigger: StoredTrigger | null): TreeState | null {
  if (trigger?.kind === 'event') return startTree(trigger.event);
  if (trigger?.kind !== 'http' || trigger.body_encoding !== 'utf8') return null;
  try {
    const parsed: unknown = JSON.parse(trigger.body);
    return typeof parsed === 'object' && parsed !== null ? startTree(parsed) : null;
  } catch {
    return null;
  }
}
