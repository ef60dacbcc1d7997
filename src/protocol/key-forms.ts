/**
 * The values that a person enters for an account with keys (pure): by the definition of an app, or by the names that
 * components read.
 */

export interface KeyField {
  /** As components read it, in `$auth`. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly default: string;
  readonly optional: boolean;
  /** It is not shown while it is typed. */
  readonly secret: boolean;
}

export interface KeyForm {
  /** Such as "Personal access token"; null where there is no name for it. */
  readonly name: string | null;
  readonly fields: readonly KeyField[];
}

/** Fields of OAuth accounts that components look at, but do without. */
const rarelyNeeded = ['oauth_uid', 'oauth_client_id', 'oauth_refresh_token'];

const shownWords =
  /(^|_)(url|uri|host|hostname|port|domain|subdomain|region|email|user|username|name|id|uid|environment|env|database|dc|instance|site|workspace|account|version)($|_)/i;
const secretWords = /(token|secret|password|key|credential|json)/i;

/** Whether the value of a field is kept from sight, by its name: what is not plainly harmless is. */
export function isSecretName(name: string): boolean {
  return secretWords.test(name) || !shownWords.test(name);
}

/** A form with the fields that components read; undefined without any. */
export function formOfKeys(keys: readonly string[]): KeyForm | undefined {
  if (keys.length === 0) return undefined;
  const fields = keys.map((name) => ({
    name,
    label: labelOf(name),
    description: '',
    default: '',
    optional: rarelyNeeded.includes(name) && keys.length > 1,
    secret: isSecretName(name),
  }));
  return { name: null, fields };
}

/** `api_key` → "Api key". */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
