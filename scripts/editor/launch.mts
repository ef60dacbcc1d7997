import { findDesktop, launchDesktop } from './desktop.mts';
import type { Launched, Run } from './run.mts';
import { launchWeb } from './web.mts';

/** A desktop VS Code where there is one, else code-server. */
export async function launch(run: Run, say: (line: string) => void): Promise<Launched> {
  const desktop = await findDesktop();
  if (desktop.executable !== null) {
    say(`editor: ${desktop.executable} (${desktop.why})`);
    return launchDesktop(desktop.executable, run);
  }
  say(`editor: code-server (${desktop.why})`);
  return launchWeb(run, say);
}
