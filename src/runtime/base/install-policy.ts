import { WeirError } from '../../protocol/errors.ts';

/** Setting `weir.packages.install`. */
export const installPolicies = ['ask', 'always', 'never'] as const;
export type InstallPolicy = (typeof installPolicies)[number];

/**
 * Returns when these packages may be installed. A client that gets `packages_needed` asks the user and
 * repeats its call with `install: true`.
 * @param install what the call says, whatever the policy: true after a yes, false to get `packages_needed`
 * @param packages `name@version` each
 * @throws WeirError `packages_needed`, one detail per package; `bad_component` under the policy `never`
 */
export function requireInstall(
  policy: InstallPolicy,
  install: boolean | undefined,
  packages: readonly string[],
): void {
  const named = packages.join(', ');
  if (policy === 'never') {
    throw new WeirError(
      'bad_component',
      `The component needs ${named}; install it beside the component with npm, or let Weir do it (the setting packages.install).`,
    );
  }
  if (install ?? policy === 'always') return;
  throw new WeirError(
    'packages_needed',
    `The component needs ${named} from npm, and nobody has said yet that Weir may install it; say so with "install": true.`,
    packages.map((name) => ({ message: `${name} is not installed.`, package: name })),
  );
}
