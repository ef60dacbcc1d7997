/** The ports of the last start. A database is shared by several runtimes, so theirs are in the data folder. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PortChoice } from './port.ts';
import type { SettingsTable } from '../store/configuration/settings.ts';

export type PortName = 'port' | 'outsidePort';

export interface RememberedPorts {
  get(name: PortName): number | undefined;
  set(name: PortName, port: number): Promise<void>;
}

/** For this machine. Where others come in too, the asked port is theirs, even if it was that of this machine last time. */
export function localPort(
  ports: RememberedPorts,
  asked: number | undefined,
  hasOutside: boolean,
): PortChoice {
  const remembered = ports.get('port');
  if (!hasOutside) return { asked, remembered };
  const theirs = asked ?? ports.get('outsidePort');
  return { remembered: remembered === theirs ? undefined : remembered };
}

export function portsInSettings(settings: SettingsTable): RememberedPorts {
  return {
    get: (name) => Number(settings.get(name)) || undefined,
    set: (name, port) => settings.set(name, String(port)),
  };
}

export async function portsInFolder(folder: string): Promise<RememberedPorts> {
  const file = join(folder, 'ports.json');
  const ports = await read(file);
  return {
    get: (name) => ports[name],
    async set(name, port) {
      ports[name] = port;
      await writeFile(file, JSON.stringify(ports));
    },
  };
}

/** A file that cannot be read costs no more than the ports in it. */
async function read(file: string): Promise<Partial<Record<PortName, number>>> {
  try {
    const { port, outsidePort } = JSON.parse(await readFile(file, 'utf8')) as Record<
      PortName,
      unknown
    >;
    return {
      ...(typeof port === 'number' && { port }),
      ...(typeof outsidePort === 'number' && { outsidePort }),
    };
  } catch {
    return {};
  }
}
