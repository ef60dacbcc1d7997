import { findDesktop, launchDesktop } from './desktop.mts';
import type { Editor, EditorOptions } from './editor.mts';
import { launchWeb } from './web.mts';

/** A desktop VS Code where there is one, else code-server. */
export async function launch(options: EditorOptions, say: (line: string) => void): Promise<Editor> {
  const desktop = await findDesktop();
  if (desktop.executable !== null) {
    say(`editor: ${desktop.executable} (${desktop.why})`);
    return launchDesktop(desktop.executable, options);
  }
  say(`editor: code-server (${desktop.why})`);
  return launchWeb(options, say);
}
