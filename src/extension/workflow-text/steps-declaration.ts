/** The declaration of `steps` for the code of a workflow, and what makes TypeScript read it (pure). */
import { nameText, typeTextOf } from './type-text.ts';

/**
 * Below the folder of a workflow. Compilers skip folders that begin with a dot, unless they are configured otherwise.
 */
export const typesFolder = '.weir-types';

export interface KnownStep {
  readonly namespace: string;
  /** The text of its code; undefined of a component that is published or comes from elsewhere. */
  readonly code: string | undefined;
}

/**
 * @param steps of `workflow.yaml`
 * @param runs `steps` of executions, newest first, each with `trigger`; only the shape of what they hold is written
 */
export function stepsDeclaration(
  steps: readonly KnownStep[],
  runs: readonly Readonly<Record<string, unknown>>[],
): string {
  const seen = (name: string): unknown[] =>
    runs.flatMap((run) => (Object.hasOwn(run, name) ? [run[name]] : []));
  const rows = steps
    .filter(({ namespace }) => namespace !== '' && namespace !== 'trigger')
    .map(({ namespace, code }) => {
      return `    ${nameText(namespace)}: ${typeOfStep(seen(namespace), exportsIn(code ?? ''))};\n`;
    });
  const trigger = seen('trigger');
  return `// Written by Weir from the executions of this workflow: their shape, without values. Written again with each execution.
import type { defineComponent as define } from 'weir/component';

declare global {
  const defineComponent: typeof define;
}

declare module 'weir/component' {
  interface Steps {
    trigger: ${trigger.length === 0 ? '{ event: any }' : typeTextOf(trigger)};
${rows.join('')}  }
}
`;
}

function typeOfStep(seen: readonly unknown[], declared: readonly string[]): string {
  if (seen.length === 0) {
    const rows = declared.map((name) => `${nameText(name)}?: any; `);
    return `{ $return_value?: any; ${rows.join('')}[name: string]: any }`;
  }
  const known = new Set(seen.flatMap((one) => Object.keys(Object(one) as object)));
  const others = declared.filter((name) => !known.has(name));
  const rest = others.map((name) => `${nameText(name)}?: any; `).join('');
  return typeTextOf(seen) + (rest === '' ? '' : ` & { ${rest}}`);
}

/** The names that a step's code exports, as far as they are plain text. */
export function exportsIn(code: string): string[] {
  const found = code.matchAll(/\$\s*\.\s*export\(\s*(["'`])([^"'`\n$]+)\1/g);
  return [...new Set([...found].flatMap(([, , name]) => (name === undefined ? [] : [name])))];
}

/**
 * The `tsconfig.json` of a workflow's folder: each workflow has steps of its own, so each is a project of its own.
 * @param above path of the configuration that held for the folder so far, relative to it
 */
export function projectText(above: string | undefined): string {
  const own = {
    allowJs: true,
    noEmit: true,
    skipLibCheck: true,
    ...(above === undefined && {
      strictNullChecks: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
    }),
  };
  const project = {
    ...(above !== undefined && { extends: above }),
    compilerOptions: own,
    include: ['**/*', `${typesFolder}/*.d.ts`],
  };
  return `// Written by Weir, so that the editor knows the steps of this workflow. Yours, once this line is gone.\n${JSON.stringify(project, null, 2)}\n`;
}
