import type { ApiServices } from './api-services.ts';
import type { Handlers } from './operations.ts';

type EnvironmentHandlers = Pick<
  Handlers,
  'environment.list' | 'environment.set' | 'environment.delete'
>;

export interface EnvironmentHandlerParts extends Pick<
  ApiServices,
  'environment' | 'environmentChanged'
> {}

export function environmentHandlers({
  environment,
  environmentChanged,
}: EnvironmentHandlerParts): EnvironmentHandlers {
  return {
    'environment.list': async () => {
      environment.refresh();
      return { data: environment.list() };
    },
    'environment.set': async ({ name, value }) => {
      await environment.set(name, value);
      environmentChanged();
      return {};
    },
    'environment.delete': async ({ name }) => {
      await environment.delete(name);
      environmentChanged();
      return {};
    },
  };
}
