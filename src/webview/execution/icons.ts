import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import debugPause from '@vscode/codicons/src/icons/debug-pause.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import history from '@vscode/codicons/src/icons/history.svg';
import loading from '@vscode/codicons/src/icons/loading.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import play from '@vscode/codicons/src/icons/play.svg';
import type { TemplateResult } from 'lit-html';
import { codicon } from '../shared/icons.ts';

const icons = { circleSlash, debugPause, error, history, loading, pass, play } as const;

export type StatusIcon = keyof typeof icons;

/** How something went. */
export function statusIcon(name: StatusIcon): TemplateResult {
  return codicon(name, icons[name]);
}
