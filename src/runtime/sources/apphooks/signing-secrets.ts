/**
 * The data that each account needs to get events: the address that its app sends them to, and the secret that the app
 * signs them with. They belong to the data folder and not to the account, because the app sends to its runtime.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { WeirError } from '../../../protocol/errors.ts';
import { signingSecretsSetting } from '../../accounts/undecryptable-secrets.ts';
import { KeyedMutex } from '../../base/keyed-mutex.ts';
import type { Sealer } from '../../accounts/seal.ts';
import type { SettingsTable } from '../../store/configuration/settings.ts';

export const accountAddressPrefix = 'ah_';

/** Longer than any app has them: what is pasted by mistake is noticed. */
const longest = 1000;

export class SigningSecrets {
  readonly #settings: SettingsTable;
  readonly #sealer: Sealer;
  /** From it come the addresses: those of one data folder cannot be guessed from those of another. */
  readonly #key: string;
  readonly #changes = new KeyedMutex();
  /** Sealed, by account. */
  #sealed: Readonly<Record<string, string>>;

  private constructor(settings: SettingsTable, sealer: Sealer, key: string) {
    this.#settings = settings;
    this.#sealer = sealer;
    this.#key = key;
    this.#sealed = JSON.parse(settings.get(signingSecretsSetting) ?? '{}') as Record<
      string,
      string
    >;
  }

  static async open(settings: SettingsTable, sealer: Sealer): Promise<SigningSecrets> {
    const key = await settings.ensure('accountAddresses', randomBytes(32).toString('base64'));
    return new SigningSecrets(settings, sealer, key);
  }

  /** Address of an account: `ah_…`, always the same. */
  addressOf(account: string): string {
    const digest = createHmac('sha256', this.#key).update(account).digest('base64url');
    return accountAddressPrefix + digest.slice(0, 22);
  }

  /** Whose address it is. */
  accountAt(address: string, accounts: readonly string[]): string | undefined {
    const given = Buffer.from(address);
    return accounts.find((account) => {
      const known = Buffer.from(this.addressOf(account));
      return known.length === given.length && timingSafeEqual(known, given);
    });
  }

  has(account: string): boolean {
    return Object.hasOwn(this.#sealed, account);
  }

  /** Undefined when none was entered. Throws `store_failed` when the key does not fit. */
  get(account: string): string | undefined {
    const sealed = Object.hasOwn(this.#sealed, account) ? this.#sealed[account] : undefined;
    return sealed === undefined ? undefined : this.#sealer.open(sealed);
  }

  /**
   * Resolves when it is on disk.
   * @param secret null takes it away
   * @throws WeirError `bad_input` for one that cannot be one
   */
  async set(account: string, secret: string | null): Promise<void> {
    const trimmed = secret?.trim();
    if (trimmed === '') throw new WeirError('bad_input', 'The signing secret is empty.');
    if (trimmed !== undefined && trimmed.length > longest) {
      throw new WeirError(
        'bad_input',
        `The signing secret has more than ${longest} characters: enter it alone.`,
      );
    }
    // Memory has a change once it is stored, and each change is made of what the one before has stored.
    await this.#changes.run(signingSecretsSetting, async () => {
      if (trimmed === undefined && !this.has(account)) return;
      const { [account]: _, ...others } = this.#sealed;
      const sealed =
        trimmed === undefined ? others : { ...others, [account]: this.#sealer.seal(trimmed) };
      await this.#settings.set(signingSecretsSetting, JSON.stringify(sealed));
      this.#sealed = sealed;
    });
  }
}
