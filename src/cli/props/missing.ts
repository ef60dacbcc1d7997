import { type ConfigurableProp, isUserInput } from '../../protocol/definition.ts';

/** Props that need a value and have none; an app without an account is allowed (P2.14). */
export function missingProps(
  props: readonly ConfigurableProp[],
  configured: Readonly<Record<string, unknown>>,
): ConfigurableProp[] {
  return props.filter((prop) => {
    if (prop.optional === true || prop.hidden === true || prop.disabled === true) return false;
    if (Object.hasOwn(configured, prop.name) || prop.default !== undefined) return false;
    if (prop.type === '$.interface.timer') {
      return [prop.static, prop['cron'], prop['intervalSeconds']].every((v) => v === undefined);
    }
    return isUserInput(prop) && prop.type !== 'app' && prop.type !== 'dir';
  });
}
