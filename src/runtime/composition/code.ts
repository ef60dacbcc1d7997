/** From a file to a process that has loaded it: the pool of component processes and the bundles. */
import { join } from 'node:path';
import { createComponents } from '../components/deployments/components.ts';
import type { Components } from '../components/deployments/deployment.ts';
import type { Hosts } from '../hosts/host.ts';
import { createHosts } from '../hosts/hosts.ts';
import { createHostList } from '../hosts/leftovers.ts';
import type { Ground } from './ground.ts';
import type { Shared } from './shared.ts';

export interface Code {
  readonly hosts: Hosts;
  readonly components: Components;
}

export async function openCode(ground: Ground, shared: Shared): Promise<Code> {
  const { options, folder, log, limits, closing } = ground;
  const { settings } = options;
  const hostList = createHostList(join(folder.path, 'hosts.json'));
  for (const pid of await hostList.endLeftovers())
    log('warn', `Ended process ${pid}, left by a runtime that was killed`);
  const hosts = createHosts({
    entry: join(options.dist, 'component-host.js'),
    execPath: process.execPath,
    redirects: options.redirects,
    env: process.env,
    spareMemoryMb: limits.memoryMb,
    onRequest: shared.answer,
    onFork: (record) => hostList.add(record),
    onExit: (record) => hostList.remove(record),
  });
  closing.push(() => hosts.close());
  const components = createComponents({
    folder: join(folder.path, 'deployments'),
    packagesFolder: join(folder.path, 'packages'),
    hosts,
    installPolicy: settings['packages.install'],
    ...(settings['npm.path'] === '' ? {} : { npmPath: settings['npm.path'] }),
  });
  return { hosts, components };
}
