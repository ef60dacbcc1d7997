/** Components of one package that run for real, and the stand-in for the third party they talk to. */
import type { AtEnd } from '../../support/at-end.ts';
import type { Fake } from '../../support/receiver.ts';
import type { World } from './world.ts';

/** What a scenario works with. */
export interface Stage<F extends Fake> {
  readonly world: World;
  readonly fake: F;
  /** What an app prop is configured with: the account of the package's app. */
  readonly account: unknown;
}

export interface Scenario<F extends Fake> {
  /** `gitlab/sources/new-milestone` */
  readonly component: string;
  /** What is shown, in a few words: a row of docs/compatibility.md. */
  readonly shows: string;
  /** Runs it and expects. */
  readonly play: (stage: Stage<F>) => Promise<void>;
}

/** A suite whose stand-in is its own business. */
export interface Suite {
  readonly app: string;
  /** Third-party hosts that lead to the stand-in. */
  readonly hosts: readonly string[];
  readonly scenarios: readonly (Omit<Scenario<Fake>, 'play'> & {
    readonly play: (world: World) => Promise<void>;
  })[];
  readonly start: (atEnd: AtEnd) => Promise<Fake>;
}

export interface SuiteOptions<F extends Fake> {
  readonly app: string;
  readonly hosts: readonly string[];
  /** What the app's account consists of: `$auth`. */
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly start: (atEnd: AtEnd) => Promise<F>;
  readonly scenarios: readonly Scenario<F>[];
}

export function suite<F extends Fake>(options: SuiteOptions<F>): Suite {
  const { app, hosts, credentials, scenarios } = options;
  let started: F | undefined;
  return {
    app,
    hosts,
    async start(atEnd) {
      started = await options.start(atEnd);
      return started;
    },
    scenarios: scenarios.map(({ component, shows, play }) => ({
      component,
      shows,
      async play(world) {
        if (started === undefined) throw new Error(`The stand-in for ${app} was not started.`);
        const account = await world.account(app, credentials);
        await play({ world, fake: started, account });
      },
    })),
  };
}
