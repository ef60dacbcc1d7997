import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/test/longest-first.mts';

/** A loaded machine is slow, and that is no failure. */
const patient = { poll: { timeout: 45_000, interval: 20 } };
/** A test that asserts nothing could not fail; in the pages the locators that wait do as well. */
const expectations = { ...patient, requireAssertions: true };

/** Installs what tests of these layers run of the platform's registry. */
const registryPackages = 'test/support/registry-packages.ts';
/** Installs the npm registry that tests publish to. */
const npmRegistry = 'test/support/npm-registry.ts';
/** Unpacks the browser. */
const browser = 'test/support/browser.ts';
/** Installs the foreign clients of agents' protocol. */
const mcpClients = 'test/support/mcp-clients.ts';

/** All layers but one run in vitest; the editor layer runs inside a real VS Code (scripts/test-editor.mts). */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: [registryPackages],
          include: ['test/unit/**/*.test.ts'],
          testTimeout: 60_000,
          expect: expectations,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'webview',
          globalSetup: [registryPackages, browser],
          include: ['test/webview/**/*.test.ts'],
          // As in the editor layer. On a machine that others use, five megabytes took a minute to show.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: patient,
          // Each file has a browser of its own.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'runtime',
          globalSetup: [registryPackages, npmRegistry, mcpClients],
          include: ['test/runtime/**/*.test.ts'],
          setupFiles: ['test/runtime/support/check-logs.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: expectations,
          // Each file starts real processes, which keep two cores busy: with three at once it took as long.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['test/postgres/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: expectations,
          // Each file has a server of its own.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'fuzz',
          include: ['test/fuzz/**/*.test.ts'],
          setupFiles: ['test/runtime/support/check-logs.ts'],
          // Each property ends by itself (test/support/holds.ts): what is found late has to be made small.
          testTimeout: 2 ** 31 - 1,
          hookTimeout: 60_000,
          expect: expectations,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['test/chaos/**/*.test.ts'],
          setupFiles: ['test/runtime/support/check-logs.ts'],
          expect: expectations,
        },
      },
    ],
  },
});
