/** The props of a step whose component has `additionalProps`, computed when no deploy could compute them (P6.13). */
import { messageWithCauses } from '../../../protocol/error-causes.ts';
import type { ConfigurableProp } from '../../../protocol/definition.ts';
import { reloadKey, settleProps, withDefaults } from '../../../protocol/effective-props.ts';
import type { HostConfiguration } from '../../../protocol/host.ts';
import { additionalProps } from '../calls/additional-props.ts';
import type { AskRuntime } from '../channel/requests.ts';
import { configureComponent } from '../instance/instance.ts';
import type { LoadedComponent } from '../module/component.ts';
import type { Invocation } from '../output/invocation.ts';
import { thrownError } from '../output/thrown.ts';

export class SettledProps {
  /** The last set, and the values that it was computed for. */
  #last: { readonly key: string; readonly props: readonly ConfigurableProp[] } | undefined;

  /**
   * The configuration with the final set of props and their defaults. `additionalProps` is called again only when a value
   * of a prop with `reloadProps` has changed. When it throws, the run has a warning, and the step runs with the props
   * that its component declares.
   */
  async complete(
    loaded: LoadedComponent,
    configuration: HostConfiguration,
    askRuntime: AskRuntime,
    invocation: Invocation,
  ): Promise<HostConfiguration> {
    const { props: given } = configuration;
    const declared = loaded.definition.props;
    if (this.#last !== undefined) {
      const { key, props } = this.#last;
      const values = withDefaults({ props }, given);
      if (reloadKey(props, values) === key)
        return { ...configuration, props: values, propSet: props };
    }
    try {
      const settled = await settleProps(declared, given, async (props) => {
        const component = configureComponent(loaded, { ...configuration, props }, askRuntime);
        return (await additionalProps(component, invocation)).props;
      });
      if (settled !== undefined) {
        const props = withDefaults({ props: settled }, given);
        this.#last = { key: reloadKey(settled, props), props: settled };
        return { ...configuration, props, propSet: settled };
      }
    } catch (error) {
      const message = messageWithCauses(thrownError(error));
      invocation.warnOnce(
        `additionalProps failed: ${message} The step runs with the props its component declares.`,
      );
    }
    return { ...configuration, props: withDefaults({ props: declared }, given) };
  }
}
