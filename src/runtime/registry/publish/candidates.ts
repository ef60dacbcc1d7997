/** Which files of a folder are components. */
import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { TextOfComponent } from '../../components/read-text.ts';

export interface EvaluatedComponent {
  /** In the package, with "/". */
  readonly path: string;
  readonly definition: ComponentDefinition;
}

/** Code that comes with a package and is no part of it. */
const isBeside =
  /(?:^|\/)(?:tests?|__tests__|examples?|dist|build|coverage|scripts)\/|\.(?:test|spec|d)\.[cm]?[jt]s$/;

export function mayBeComponent(path: string): boolean {
  return /\.(?:m?[jt]s|cjs|cts)$/.test(path) && !isBeside.test(path);
}

/** Judges by its text, without running it: parts that several components share have no key. */
export function looksLikeComponent(code: string, text: TextOfComponent): boolean {
  if (text.type === 'app') return false;
  if (text.type === 'source' || text.type === 'action') return true;
  return text.key !== undefined || /\bdefine(?:Source|Action)\s*\(/.test(code);
}
