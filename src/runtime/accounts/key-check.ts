import { createHmac } from 'node:crypto';
import type { KeyCheck } from '../store/store-node.ts';
import type { SealingKey } from './key-file.ts';

/** Tells two keys apart, and says nothing of either. */
export function keyCheckOf({ bytes, origin }: SealingKey): KeyCheck {
  const check = createHmac('sha256', bytes).update('weir: the key of this database');
  return { check: check.digest('base64'), origin };
}
