/** Packages of the platform's registry, which tests run unchanged. As a global setup of vitest it installs them. */
import { resolve } from 'node:path';
import { installPinned } from '../../scripts/npm.mts';

const folder = resolve('test/registry-packages');

/** Where they are, with what they depend on: absolute. */
export const registryModules = resolve(folder, 'node_modules');
export const registryScope = resolve(registryModules, '@pipedream');

/** The first time, and whenever a version changes. */
export async function setup(): Promise<void> {
  await installPinned(folder, console.log);
}
