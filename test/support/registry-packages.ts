/** Packages of the platform's registry, which tests run unchanged. As a global setup of vitest it installs them. */
import { resolve } from 'node:path';
import { installPinned } from '../../scripts/npm.mts';

const folder = resolve('test/registry-packages');

/** Where they are: absolute. */
export const registryScope = resolve(folder, 'node_modules/@pipedream');

/** The first time, and whenever a version changes. */
export async function setup(): Promise<void> {
  await installPinned(folder, console.log);
}
