/**
 * The code of the step that a person pastes into a workflow of the platform (pure). It reads the requested values,
 * encrypts them for one Weir, and returns them. The body is the same for everyone, so that a person can read and
 * compare it.
 */
import type { CarryPlan } from './plan.ts';

export type CarryWay = 'pull' | 'file' | 'paste';

export interface StepOptions {
  /** Id of the carry-over. */
  readonly id: string;
  /** Token that a pull sends along; it decrypts nothing. */
  readonly token: string;
  /** Raw X25519 key, base64url. */
  readonly publicKey: string;
  /** Epoch ms after which the step does nothing. */
  readonly until: number;
  readonly way: CarryWay;
  readonly plan: CarryPlan;
}

/** Returns the text of the step. */
export function stepCode({ id, token, publicKey, until, way, plan }: StepOptions): string {
  const props = [
    ...plan.accounts.map(
      (one) =>
        `    ${one.prop}: { type: "app", app: ${quoted(one.app)} }, // account ${one.id}, used by ${one.usedBy}`,
    ),
    ...plan.stores.map(
      (one) =>
        `    ${one.prop}: { type: "data_store" }, // data store ${one.id}, used by ${one.usedBy}`,
    ),
  ];
  const accounts = plan.accounts.map((one) => [one.prop, one.app, one.id]);
  const stores = plan.stores.map((one) => [one.prop, one.id]);
  const variables = plan.variables.map((name) => `      ${name}: process.env.${name},`);
  return `// Weir carry-over ${id}, until ${new Date(until).toISOString().slice(0, 10)}.
//
// This step reads what exports of workflows do not contain: the accounts and data stores chosen below${plan.variables.length > 0 ? ', the environment\n// variables named below' : ''}${plan.files ? ', the files of the File Store' : ''}. It encrypts them for the Weir that wrote this step, and changes nothing.
// Nothing is logged, exported or returned in clear.
//
${plan.notAsked.map((one) => `// Account ${one.id}, used by ${one.usedBy}, is not asked for: its app is unknown.\n`).join('')}// 1. Choose, for each prop, the account or data store that the comment beside it names. Delete the line of one that you cannot choose.
// 2. ${howTo(way)}
// 3. Compare the fingerprint in $summary with the one that Weir shows. Then delete this workflow and its events.
import { createCipheriv, createHash, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, timingSafeEqual } from "node:crypto";
import { brotliCompressSync, constants } from "node:zlib";

const WAY = ${quoted(way)}; // "pull": Weir calls this workflow. "file": a file in the File Store. "paste": the return value.
const ID = ${quoted(id)};
const PUBLIC_KEY = ${quoted(publicKey)};
const TOKEN = ${quoted(token)}; // what a pull sends along; it opens nothing
const UNTIL = ${until};
const ACCOUNTS = ${JSON.stringify(accounts)};
const STORES = ${JSON.stringify(stores)};
const FILES = ${plan.files};

export default defineComponent({
  props: {
${props.join('\n')}
  },
  async run({ steps, $ }) {
    const variables = {
${variables.join('\n')}
    };
${body}`;
}

function howTo(way: CarryWay): string {
  switch (way) {
    case 'pull':
      return 'Give this workflow an HTTP trigger that returns a custom response, deploy it, and run: weir carry-over pull URL';
    case 'file':
      return 'Test this step, and run within half an hour: weir carry-over take URL, with the url that it returns.';
    case 'paste':
      return 'Test this step, copy what it returns into a file, and run: weir carry-over take FILE';
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

const body = String.raw`    if (Date.now() > UNTIL) throw new Error("This carry-over has ended. Write a new step with: weir carry-over step");
    const event = steps?.trigger?.event ?? {};
    if (WAY === "pull") {
      const given = Buffer.from(String(event.headers?.["x-weir-carry"] ?? "")), wanted = Buffer.from(TOKEN);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
        await $.respond({ status: 403, body: "This request has no token of the carry-over." });
        return "refused: no token";
      }
    }

    // One key a run: X25519, HKDF-SHA256, AES-256-GCM.
    const started = Date.now();
    const { publicKey, privateKey } = generateKeyPairSync("x25519");
    const run = publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64url");
    const spki = Buffer.concat([Buffer.from("302a300506032b656e032100", "hex"), Buffer.from(PUBLIC_KEY, "base64url")]);
    const shared = diffieHellman({ privateKey, publicKey: createPublicKey({ key: spki, format: "der", type: "spki" }) });
    const key = Buffer.from(hkdfSync("sha256", shared, Buffer.from(run + PUBLIC_KEY), "weir-carry/1 " + ID, 32));
    const fingerprint = createHash("sha256").update(run).digest("hex").slice(0, 8);

    // Records are gathered into blocks of about 1 MB: compressed, then encrypted. The header is authenticated, too.
    const blocks = [];
    let lines = [], size = 0, count = 0, written = 0;
    const flush = () => {
      if (lines.length === 0) return;
      const header = Buffer.from(JSON.stringify({ c: ID, e: run, f: fingerprint, n: count, at: started })).toString("base64url");
      const nonce = Buffer.alloc(12);
      nonce.writeUInt32BE(count++, 8);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      cipher.setAAD(Buffer.from(header));
      const packed = brotliCompressSync(Buffer.from(lines.join("\n")), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
      const sealed = Buffer.concat([cipher.update(packed), cipher.final(), cipher.getAuthTag()]).toString("base64url");
      blocks.push("WEIRCARRY1." + header + "." + sealed);
      written += blocks.at(-1).length;
      lines = [];
      size = 0;
    };
    const put = (record) => {
      const line = JSON.stringify(record);
      if (size + line.length > 1_000_000) flush();
      lines.push(line);
      size += line.length + 1;
    };
    // An answer or a return value may have 6 MB with everything around it, a run over HTTP 30 seconds.
    const isFull = () => (WAY !== "file" && written + size > 3_000_000) || Date.now() - started > 20_000;

    const counts = { accounts: 0, variables: 0, records: 0, files: 0 };
    const cursor = (typeof event.body === "object" && event.body?.cursor) || { at: "start" };
    let next = null;

    if (cursor.at === "start") {
      for (const [prop, app, id] of ACCOUNTS) {
        let auth;
        try {
          auth = { ...this[prop]?.$auth };
        } catch {
          // Its message may quote a secret.
        }
        if (auth === undefined || Object.keys(auth).length === 0) put({ t: "no-account", id });
        else {
          put({ t: "account", id, app, auth });
          counts.accounts++;
        }
      }
      for (const [name, value] of Object.entries(variables)) {
        if (value === undefined) put({ t: "no-variable", name });
        else {
          put({ t: "variable", name, value });
          counts.variables++;
        }
      }
    }

    // keys() refuses large stores, the iterator does not.
    let i = cursor.at === "store" ? cursor.i : 0;
    for (; cursor.at !== "file" && next === null && i < STORES.length; i++) {
      const [prop, id] = STORES[i];
      if (this[prop] === undefined) {
        put({ t: "no-store", id });
        continue;
      }
      const passed = cursor.at === "store" && cursor.i === i ? cursor.n : 0;
      let n = 0;
      for await (const [k, v] of this[prop]) {
        if (n++ < passed) continue;
        if (isFull()) {
          next = { at: "store", i, n: n - 1 };
          break;
        }
        put({ t: "record", s: id, k, v });
        counts.records++;
      }
      if (next === null) put({ t: "store", id, n });
    }

    if (FILES && next === null) {
      const found = [];
      const walk = async (folder) => {
        for await (const entry of folder === undefined ? $.files.dir() : $.files.dir(folder)) {
          if (entry.isDirectory()) await walk(entry.path);
          else if (!entry.path.split("/").at(-1).startsWith("weir-carry-")) found.push(entry);
        }
      };
      let isListed = true;
      try {
        await walk(undefined);
      } catch {
        isListed = false;
        put({ t: "no-files" });
      }
      const piece = 524_288, from = cursor.at === "file" ? cursor : { i: 0, c: 0 };
      for (let f = from.i; f < found.length && next === null; f++) {
        const bytes = Buffer.from(await $.files.open(found[f].path).toBuffer());
        for (let c = f === from.i ? from.c : 0; c === 0 || c * piece < bytes.length; c++) {
          if (isFull()) {
            next = { at: "file", i: f, c };
            break;
          }
          put({ t: "file", path: found[f].path, c, size: bytes.length, data: bytes.subarray(c * piece, (c + 1) * piece).toString("base64") });
        }
        if (next === null) counts.files++;
      }
      if (isListed && next === null) put({ t: "files", n: found.length });
    }

    if (size > 900_000) flush();
    put({ t: "end", blocks: count + 1, next });
    flush();
    const text = blocks.join("\n");
    const summary = counts.accounts + " accounts, " + counts.variables + " variables, " + counts.records + " records, " + counts.files + " files; fingerprint " + fingerprint + (next === null ? "" : "; there is more");
    $.export("$summary", summary);
    if (WAY === "pull") {
      await $.respond({ status: 200, headers: { "content-type": "text/plain" }, body: text });
      return { blocks: count, fingerprint, next };
    }
    if (WAY === "file") {
      const { writeFile, rm } = await import("node:fs/promises");
      const name = "weir-carry-" + ID + "-" + fingerprint + ".txt";
      await writeFile("/tmp/" + name, text);
      const file = $.files.open(name);
      await file.fromFile("/tmp/" + name, "text/plain");
      await rm("/tmp/" + name);
      return { file: name, url: await file.toUrl(), fingerprint, next };
    }
    return { copy: text, fingerprint, next };
  },
});
`;
