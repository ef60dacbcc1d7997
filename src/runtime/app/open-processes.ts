/** Component processes: those of a runtime before this one end, and those of this one are listed. */
import { join } from 'node:path';
import type { BaseServices } from '../base/services.ts';
import type { Settings } from '../base/settings.ts';
import type { HostLimits, HostOptions, Hosts } from '../processes/host.ts';
import { createHosts } from '../processes/hosts.ts';
import { createHostList } from '../processes/leftovers.ts';

export interface OpenProcessesOptions extends Pick<BaseServices, 'settings' | 'log' | 'closing'> {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Folder of the built files. */
  readonly dist: string;
  readonly redirects: Readonly<Record<string, string>>;
  /** Answers what a component asks of the runtime. */
  readonly onRequest: HostOptions['onRequest'];
}

export async function openProcesses(options: OpenProcessesOptions): Promise<Hosts> {
  const { data, dist, redirects, onRequest, settings, log, closing } = options;
  const list = createHostList(join(data, 'hosts.json'));
  for (const pid of await list.endLeftovers())
    log('warn', `Ended process ${pid}, left by a runtime that was killed`);
  const hosts = createHosts({
    entry: join(dist, 'component-host.js'),
    execPath: process.execPath,
    redirects,
    env: process.env,
    spareMemoryMb: settings['run.memoryMb'],
    onRequest,
    onFork: (record) => list.add(record),
    onExit: (record) => list.remove(record),
  });
  closing.push(() => hosts.close());
  return hosts;
}

/** The limits of one run. */
export function readLimits(settings: Settings): HostLimits {
  return {
    memoryMb: settings['run.memoryMb'],
    timeoutMs: settings['run.timeoutSeconds'] * 1000,
    outputMb: settings['run.outputMb'],
  };
}
