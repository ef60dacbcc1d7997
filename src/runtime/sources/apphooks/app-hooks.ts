/**
 * Events that apps send to sources with `$.interface.apphook` (P8.21 and what follows it): whose address it is, whether
 * the app has signed the request, and which sources asked for the event.
 */
import type { ServerResponse } from 'node:http';
import { WeirError } from '../../../protocol/errors.ts';
import type { HttpTrigger } from '../../../protocol/host.ts';
import type { Apps } from '../../accounts/apps/apps.ts';
import type { AppWebhook } from '../../accounts/apps/webhook-schema.ts';
import type { Inbox } from '../../events/inbox.ts';
import { isRefusedForNow } from '../../events/intake.ts';
import type { InvocationTable } from '../../store/history/invocations.ts';
import { send, sendInternal, sendNotStored } from '../../events/triggers/http/responses.ts';
import type { Endpoint } from '../../events/triggers/http/route.ts';
import { decide } from './decide.ts';
import { RecentDeliveries } from './recent-deliveries.ts';
import { readRequest } from './request.ts';
import { accountAddressPrefix, type SigningSecrets } from './signing-secrets.ts';
import type { BaseServices } from '../../base/services.ts';

/** An apphook prop of a source. */
export interface AppHook {
  readonly sourceId: string;
  /** `hi_…`: the source's own address. */
  readonly id: string;
  readonly prop: string;
  /** Slug of its app. */
  readonly app: string;
  /** Undefined while the app prop has none. */
  readonly account: string | undefined;
  /** Null: all of them. */
  readonly eventNames: readonly string[] | null;
}

export interface AppHooksOptions extends Pick<BaseServices, 'now' | 'report'> {
  readonly apps: Pick<Apps, 'find'>;
  readonly secrets: SigningSecrets;
  /** App hooks of sources that accept runs. */
  readonly hooks: () => readonly AppHook[];
  readonly accounts: () => readonly { readonly id: string; readonly app: string }[];
  readonly inbox: Pick<Inbox, 'accept'>;
  readonly invocations: Pick<InvocationTable, 'list' | 'trigger'>;
  /** A line into the log of a source. */
  readonly tell: (sourceId: string, text: string) => void;
}

const textType = {
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

/** Refused requests make one log line in this time: a stranger with the address must not fill the log. */
const quietMs = 60_000;

/** The address where a request arrived. */
interface Address {
  readonly id: string;
  readonly app: string;
  readonly account: string | undefined;
  readonly hooks: readonly AppHook[];
}

export class AppHooks {
  readonly #options: AppHooksOptions;
  readonly #recent: RecentDeliveries;
  /** When a refused request was last logged, by address. */
  readonly #toldAt = new Map<string, number>();

  constructor(options: AppHooksOptions) {
    this.#options = options;
    this.#recent = new RecentDeliveries(options.invocations);
  }

  /** How the app sends events; undefined when no definition says so, or the one that counts is broken. */
  webhookOf(app: string): AppWebhook | undefined {
    try {
      return this.#options.apps.find(app)?.definition.webhook;
    } catch {
      return undefined;
    }
  }

  /** @param id `hi_…` of a source, `ah_…` of an account */
  endpoint(id: string): Endpoint | undefined {
    const address = this.#address(id);
    if (address === undefined || this.webhookOf(address.app) === undefined) return undefined;
    const [hook] = address.hooks;
    return {
      emitterId: hook?.sourceId ?? '',
      prop: hook?.prop ?? '',
      customResponse: false,
      receive: (request, response) => this.#receive(address, request, response),
    };
  }

  /** A source is gone. */
  forget(sourceId: string): void {
    this.#recent.forget(sourceId);
  }

  #address(id: string): Address | undefined {
    const { hooks, accounts, secrets } = this.#options;
    if (!id.startsWith(accountAddressPrefix)) {
      const hook = hooks().find((one) => one.id === id);
      return hook && { id, app: hook.app, account: hook.account, hooks: [hook] };
    }
    const all = accounts();
    const account = secrets.accountAt(
      id,
      all.map((one) => one.id),
    );
    const app = all.find((one) => one.id === account)?.app;
    if (account === undefined || app === undefined) return undefined;
    return { id, app, account, hooks: hooks().filter((hook) => hook.account === account) };
  }

  #receive(address: Address, trigger: HttpTrigger, response: ServerResponse): void {
    this.#answer(address, trigger, response).catch((error: unknown) => {
      if (isRefusedForNow(error)) sendNotStored(response);
      else {
        this.#options.report(`An event of ${address.app}`, error);
        sendInternal(response);
      }
    });
  }

  async #answer(address: Address, trigger: HttpTrigger, response: ServerResponse): Promise<void> {
    const { secrets, now } = this.#options;
    const webhook = this.webhookOf(address.app);
    const { account } = address;
    if (webhook === undefined) throw new Error('Its definition is gone.');
    const secret = account === undefined ? undefined : secrets.get(account);
    if (secret === undefined) {
      const what =
        account === undefined
          ? 'the source has no account whose signing secret could tell'
          : `the ${webhook.secret} of the account is not entered: "weir accounts update ${account} --signing-secret"`;
      this.#tellRefused(address, what);
      // Not taken in (P7.59), and a person has to come first.
      const headers = { ...textType, 'retry-after': '60' };
      send(response, 503, headers, 'Nobody has entered yet what requests are signed with.\n');
      return;
    }
    const request = readRequest(trigger, webhook.form_field, secret);
    const decision = decide(webhook, request, now());
    switch (decision.is) {
      case 'refused':
        this.#tellRefused(address, decision.why);
        send(response, decision.status, textType, `The request is refused: ${decision.why}.\n`);
        return;
      case 'challenge':
        send(response, 200, { ...textType, 'content-type': decision.type }, decision.body);
        return;
      case 'event': {
        const wanted = address.hooks.filter(({ eventNames }) =>
          asksFor(eventNames, decision.names),
        );
        await this.#trigger(wanted, decision.json, decision.delivery);
        send(response, 200, {}, '');
        return;
      }
      case 'nothing':
        send(response, 200, {}, '');
        return;
      default:
        return decision satisfies never;
    }
  }

  /** Resolves when the event is on disk for each of them. */
  async #trigger(
    hooks: readonly AppHook[],
    json: string,
    delivery: string | undefined,
  ): Promise<void> {
    const takeIn = async (sourceId: string): Promise<void> => {
      const trigger = { kind: 'event', json, ...(delivery !== undefined && { delivery }) } as const;
      await this.#options.inbox.accept(sourceId, { cause: 'http', trigger }).durable;
    };
    const taken = await Promise.allSettled(
      hooks.map(({ sourceId }) =>
        delivery === undefined
          ? takeIn(sourceId)
          : this.#recent.once(sourceId, delivery, () => takeIn(sourceId)),
      ),
    );
    for (const one of taken) {
      // A source that was deleted meanwhile wants it no more.
      if (one.status === 'rejected' && !WeirError.is(one.reason, 'not_found')) throw one.reason;
    }
  }

  #tellRefused({ id, hooks }: Address, why: string): void {
    const { now, tell } = this.#options;
    const at = now();
    const before = this.#toldAt.get(id);
    if (before !== undefined && at - before >= 0 && at - before < quietMs) return;
    this.#toldAt.set(id, at);
    for (const { sourceId } of hooks) tell(sourceId, `A request of its app was refused: ${why}.`);
  }
}

/** Whether one of the names that an event has was asked for. */
function asksFor(asked: readonly string[] | null, names: ReadonlySet<string>): boolean {
  return asked === null || asked.some((name) => names.has(name));
}
