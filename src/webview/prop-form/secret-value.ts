import { isRecord } from './values.ts';

/** Whether a value stands for a secret that the host or the runtime has. */
export function isKept(value: unknown): boolean {
  return isRecord(value) && value['secret'] === true;
}
