import { afterEach } from 'vitest';
import { checkLogs } from '../../support/runtime-log.ts';

/** For every file of this layer, see vitest.config.mts. */
afterEach(checkLogs);
